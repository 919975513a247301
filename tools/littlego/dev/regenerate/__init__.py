"""What is made from other files, made anew: in order, and saying what changed; and whether any of it is out of date."""
