"""Tests in a real Chromium that the studio and other sites cannot access each other.

The scenarios are requests outside 127.0.0.1, a foreign Host, a foreign Origin, and markup in names, which is shown as
text.
"""

from __future__ import annotations

import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import quote, urlsplit

import pytest
from chromium import executable
from studio_server import SMALL, running_studio

PATTERN = "give-atari"
BOARD = "...../..OX./.OXX./..O../....."
MARKUP = "<img src=x onerror=window.hurt=1>"
VIEWS = {
    "pattern": "[data-hits]",
    "board": "[data-chosen]",
    "effects": ".changes-pane select",
    "pages": "[data-page=gallery]",
}


@pytest.fixture(scope="module")
def running(studio):
    """A studio for all tests of this module, since the tests do not change the studio's file."""
    return studio


@pytest.fixture(scope="module")
def foreign():
    """The origin of a foreign site on the same machine, whose pages are all empty."""

    class Empty(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<!doctype html><title>elsewhere</title>")

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Empty) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}"
        server.shutdown()


def test_nothing_is_asked_outside_this_machine_in_any_view(new_page, running):
    asked = []
    page = new_page()
    page.on("request", lambda sent: asked.append(urlsplit(sent.url)))
    for view, there in VIEWS.items():
        page.goto(f"{running.url}&view={view}&pattern={PATTERN}&board={BOARD}")
        page.locator(there).first.wait_for()
    page.keyboard.press("Alt+1")
    page.locator(VIEWS["pattern"]).wait_for()
    hosts = {one.netloc for one in asked if one.scheme == "http"}
    assert hosts == {f"127.0.0.1:{running.port}"}
    assert {one.scheme for one in asked} <= {"http", "data", "blob", "about"}
    assert len(asked) > 100  # the modules and their requests


def test_a_page_of_another_origin_reads_and_writes_nothing_even_with_the_token(browser, running, foreign):
    """The page stands for a site that has guessed the port and stolen the token."""
    before = running.text()
    page = browser.new_context().new_page()
    page.goto(foreign)
    tried = page.evaluate(
        """async ([origin, token]) => {
          const told = {};
          const attempt = async (name, ...asked) => {
            told[name] = await fetch(...asked).then((answer) => answer.type, (error) => error.name);
          };
          const headers = {"X-Studio-Token": token, "Content-Type": "application/json"};
          const body = JSON.stringify({revision: 1, changes: [{from: 0, to: 0, insert: "# evil"}]});
          await attempt("read", origin + "/api/state", {headers});
          await attempt("write", origin + "/api/edit", {method: "POST", headers, body});
          await attempt("form", origin + "/api/edit", {method: "POST", mode: "no-cors", body});
          await attempt("page", origin + "/");
          const form = document.body.appendChild(document.createElement("form"));
          form.innerHTML = '<textarea name="x"></textarea>';
          Object.assign(form, {method: "POST", enctype: "text/plain", action: origin + "/api/edit", target: "hole"});
          const frame = document.body.appendChild(Object.assign(document.createElement("iframe"), {name: "hole"}));
          form.elements[0].value = body;
          const loaded = new Promise((done) => frame.addEventListener("load", done));
          form.submit();
          await loaded;
          const script = Object.assign(document.createElement("script"), {src: origin + "/static/main.js"});
          const ended = new Promise((done) => (script.onload = script.onerror = (event) => done(event.type)));
          document.body.append(script);
          told.script = await ended;
          return told;
        }""",
        [running.origin, running.token],
    )
    assert tried["read"] == tried["write"] == tried["page"] == "TypeError"  # the browser refused access
    assert tried["form"] in ("TypeError", "opaque")  # the browser sends the form, but the studio refuses it
    assert tried["script"] == "error"
    assert running.text() == before
    page.context.close()


def test_the_page_is_shown_in_no_frame(browser, running, foreign):
    page = browser.new_context().new_page()
    page.goto(foreign)
    page.evaluate(
        """(address) => new Promise((done) => {
          const frame = document.body.appendChild(document.createElement("iframe"));
          frame.addEventListener("load", done);
          frame.src = address;
        })""",
        running.url,
    )
    (frame,) = page.frames[1:]
    assert frame.locator("header.top").count() == 0
    page.context.close()


def test_a_foreign_name_that_leads_to_this_machine_is_refused(browser, running):
    """A site may map its host name to 127.0.0.1, so that the browser treats the studio as the site."""
    rules = f"MAP evil.example:{running.port} 127.0.0.1:{running.port}"
    with socket.create_connection(("127.0.0.1", running.port)):
        pass  # it is there
    deceived = browser.browser_type.launch(executable_path=executable(), args=[f"--host-resolver-rules={rules}"])
    page = deceived.new_page()
    answer = page.goto(f"http://evil.example:{running.port}/")
    assert answer.status == 403
    assert "which is not this server" in page.content()
    told = page.evaluate(
        """(token) => fetch("/api/state", {headers: {"X-Studio-Token": token}}).then((answer) => answer.status)""",
        running.token,
    )
    assert told == 403
    deceived.close()


def test_markup_in_ids_words_and_games_is_text_in_every_view(new_page, tmp_path):
    path = tmp_path / "patterns.yaml"
    text = SMALL.read_text(encoding="utf-8")
    text = text.replace("Prefer a move that gives", MARKUP).replace("id: liberties-are-strength", f'id: "{MARKUP}"')
    path.write_text(text, encoding="utf-8")
    with running_studio(path) as studio:
        page = new_page()
        page.goto(f"{studio.url}&pattern={quote(MARKUP)}&board={BOARD}")
        page.locator(".outline", has_text=MARKUP).wait_for()
        page.locator(".findings", has_text=MARKUP).first.wait_for()
        page.keyboard.press("Alt+2")
        page.locator("[data-chosen]").wait_for()
        game = f"(;FF[4]GM[1]SZ[5]PB[{MARKUP}]PW[{MARKUP}]C[{MARKUP}];B[cc]C[{MARKUP}])"
        page.locator("#open-text").fill(game)
        page.get_by_role("button", name="Open", exact=True).click()
        page.locator('[data-step="1"]').wait_for()
        page.locator("#open-text").fill(MARKUP)
        page.get_by_role("button", name="Open", exact=True).click()
        page.locator(".open-pane [role=alert]").wait_for()
        page.keyboard.press("Alt+3")
        page.locator(".changes-pane").wait_for()
        page.wait_for_timeout(500)
        assert page.evaluate("window.hurt") is None
        assert page.locator("img").count() == 0
