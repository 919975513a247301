"""Tests of access to the studio: only the studio's page may send requests."""

from __future__ import annotations

import re
import socket

import pytest
from es_modules import modules
from starlette.testclient import TestClient
from studio_apps import BASE, CENTRE, TOKEN

from littlego.studio.app import STATIC, make_app
from littlego.studio.guard import LARGEST_BODY, split_host
from littlego.studio.studio import Studio
from littlego.studio.unsaved import Drafts

GOOD = {"X-Studio-Token": TOKEN, "Content-Type": "application/json"}
EDIT = '{"revision": 1, "changes": [{"from": 0, "to": 0, "insert": "#"}]}'


@pytest.fixture(scope="module")
def studio(tmp_path_factory):
    folder = tmp_path_factory.mktemp("guarded")
    (folder / "patterns.yaml").write_text(CENTRE)
    return Studio(folder / "patterns.yaml", Drafts(folder / "drafts"))


@pytest.fixture(scope="module")
def http(studio):
    return TestClient(make_app(studio, TOKEN), base_url=BASE)  # used without `with`, since no process is needed


def refused(answer, status, code):
    assert answer.status_code == status and answer.json()["problem"]["code"] == code
    assert "access-control-allow-origin" not in answer.headers
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    return True


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:80", "127.0.0.1:81", "127.0.0.2", "", "127.0.0.1:80@evil.example", "[::1]:80"],
)
def test_a_foreign_host_is_refused_on_every_address(http, host):
    for path in ("/", "/static/main.js", "/api/state"):
        assert refused(http.get(path, headers={**GOOD, "Host": host}), 403, "forbidden")


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "http://127.0.0.1:81", "https://127.0.0.1:80", "http://localhost", "file://"],
)
def test_a_foreign_origin_is_refused(http, studio, origin):
    assert refused(http.post("/api/edit", content=EDIT, headers={**GOOD, "Origin": origin}), 403, "forbidden")
    assert refused(http.get("/api/state", headers={**GOOD, "Origin": origin}), 403, "forbidden")
    assert studio.document.text == CENTRE


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_what_the_browser_says_to_come_from_elsewhere_is_refused(http, site):
    assert refused(http.get("/api/state", headers={**GOOD, "Sec-Fetch-Site": site}), 403, "forbidden")


@pytest.mark.parametrize("host", ["127.0.0.1:80", "localhost:80", "LOCALHOST"])
def test_its_own_page_is_let_in_by_both_names(http, host):
    own = {"Host": host, "Origin": f"http://{host.lower()}", "Sec-Fetch-Site": "same-origin"}
    assert http.get("/api/state", headers={**GOOD, **own}).status_code == 200


@pytest.mark.parametrize("token", [None, "", "wrong", TOKEN[:-1], TOKEN + "x", "é"])
def test_without_the_token_nothing_but_the_page_is_given(http, studio, token):
    headers = {name: value for name, value in GOOD.items() if name != "X-Studio-Token"}
    if token is not None:
        headers["X-Studio-Token"] = token.encode("utf-8")
    for path in ("/api/state", "/api/events", "/api/jobs/1/events", "/api/nothing"):
        assert refused(http.get(path, headers=headers), 403, "forbidden")
    for path in ("/api/ask/outline", "/api/edit", "/api/save", "/api/open", "/api/jobs/compile"):
        assert refused(http.post(path, content=EDIT, headers=headers), 403, "forbidden")
    assert studio.document.text == CENTRE
    assert http.get("/", headers=headers).status_code == http.get("/static/main.js", headers=headers).status_code == 200


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_only_json_is_read_since_a_form_of_any_page_can_send_the_rest(http, studio, kind):
    assert refused(http.post("/api/edit", content=EDIT, headers={**GOOD, "Content-Type": kind}), 415, "type")
    assert studio.document.text == CENTRE


@pytest.mark.parametrize("path", ["/api/edit", "/api/ask/outline", "/api/save", "/api/jobs/compile"])
def test_get_changes_and_asks_nothing(http, path):
    assert refused(http.get(path, headers=GOOD), 405, "method")


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"])
def test_no_other_method_does_anything(http, method):
    answer = http.request(method, "/api/edit", headers=GOOD, content=EDIT)
    assert answer.status_code in (400, 403, 405) and "access-control-allow-methods" not in answer.headers


def test_a_preflight_of_another_origin_is_told_nothing(http):
    asked = {"Origin": "http://evil.example", "Access-Control-Request-Method": "POST", "Host": "127.0.0.1:80"}
    assert refused(http.options("/api/edit", headers=asked), 403, "forbidden")


def test_a_body_too_large_is_refused_before_it_is_read(http):
    headers = {**GOOD, "Content-Length": str(LARGEST_BODY + 1)}
    assert refused(http.post("/api/edit", content=b"{}", headers=headers), 413, "large")


def test_a_body_without_its_length_is_refused(http):
    assert refused(http.post("/api/edit", content=iter([b"{}"]), headers=GOOD), 400, "invalid")


PATHS = "../app.py", "..%2fapp.py", "%2e%2e/app.py", "....//app.py", "/etc/passwd", "vendor/../../app.py", "vendor"


@pytest.mark.parametrize("path", PATHS)
def test_nothing_outside_of_static_is_served(http, path):
    assert http.get(f"/static/{path}", headers=GOOD).status_code in (403, 404)


NAMES = ["../x.yaml", "/etc/passwd", "..", "", "sub/x.yaml", "link.yaml", "notes.txt", "x\0.yaml", "~/x.yaml"]


@pytest.mark.parametrize("name", NAMES)
def test_no_file_outside_of_the_one_folder_is_opened(http, studio, tmp_path, name):
    (tmp_path / "secret.yaml").write_text("secret")
    (studio.folder.parent / "x.yaml").write_text("secret")
    if not (studio.folder / "link.yaml").is_symlink():
        (studio.folder / "link.yaml").symlink_to(tmp_path / "secret.yaml")
    (studio.folder / "notes.txt").write_text("notes")
    assert refused(http.post("/api/open", json={"file": name}, headers=GOOD), 403, "forbidden")
    assert studio.document.text == CENTRE


def test_the_page_may_be_kept_and_is_asked_for_anew_and_answers_are_never_kept(http):
    first = http.get("/static/main.js")
    assert first.headers["cache-control"] == "no-cache"
    again = http.get("/static/main.js", headers={"If-None-Match": first.headers["etag"]})
    assert again.status_code == 304 and not again.content
    assert http.get("/api/state", headers=GOOD).headers["cache-control"] == "no-store"
    assert http.get("/api/state").headers["cache-control"] == "no-store"


def test_the_page_has_all_modules_fetched_at_once(http):
    links = http.get("/").headers["link"].split(", ")
    named = [
        re.fullmatch(r"<(/static/.+\.js)>; rel=preload; as=script; crossorigin=anonymous", link)[1] for link in links
    ]
    assert sorted(named) == sorted(modules(STATIC))


def test_what_a_host_is():
    assert split_host("localhost:8000") == ("localhost", 8000)
    assert split_host("127.0.0.1") == ("127.0.0.1", 80)
    assert split_host("127.0.0.1:x") == split_host("a/b") == split_host("u@h") == ("", None)


def test_it_listens_at_this_machine_alone(studio):
    from littlego.studio.server import StudioServer

    server = StudioServer(studio)
    try:
        assert server._socket.getsockname()[0] == "127.0.0.1"
        others = [info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
        for address in {address for address in others if not address.startswith("127.")}:
            with pytest.raises(OSError):
                socket.create_connection((address, server.port), timeout=1)
        assert len(server.token) >= 32 and server.url.endswith(f"#token={server.token}")
    finally:
        server._socket.close()
