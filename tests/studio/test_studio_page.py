"""Tests in a real Chromium that the page shows the file and removes the token from its address."""

from __future__ import annotations


def test_it_shows_the_file_and_keeps_the_token_out_of_its_address(page, running):
    page.get_by_text("open-in-the-centre").first.wait_for()
    assert running.token not in page.url
    page.reload()
    page.get_by_text("open-in-the-centre").first.wait_for()
