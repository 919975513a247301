"""The docs as a site: the pages of docs/, the generated reference, and links into the playground."""
