"""Tests of api.js, through which all views send requests, in a real Chromium.

The tests load api.js without the rest of the page, except on the site.
"""

from __future__ import annotations

import pytest
from studio_site import RunningSite

pytestmark = pytest.mark.both_links
LOAD = """async () => {
  window.api = await import('/static/api.js');
  (await import('/static/link.js')).takeToken();
  return await api.state();
}"""


@pytest.fixture
def api(new_page):
    """Return a function api(studio) that opens a page with only api.js."""

    def make(studio):
        page = new_page()
        is_site = isinstance(studio, RunningSite)  # its link.js needs the modules that index.html names
        page.goto(studio.url if is_site else f"{studio.origin}/static/style.css#token={studio.token}")
        page.evaluate(LOAD)
        return page

    return make


def test_it_asks_edits_and_saves(api, studio):
    page = api(studio)
    change = {"from": 0, "to": 0, "insert": "# é🀄\n"}
    before = page.evaluate("api.document_.revision")
    assert page.evaluate("change => api.edit([change])", change) == {
        "revision": before + 1,
        "saved": False,
        "answers": [],
    }
    assert page.evaluate("api.ask('outline')")["ruleset"] == "little-go"
    digest = page.evaluate("api.save()")
    assert page.evaluate("api.document_") == {"revision": before + 1, "digest": digest}
    assert studio.file.read_text(encoding="utf-8").startswith("# é🀄\n")


def test_a_problem_has_its_code_and_what_came_with_it(api, studio):
    page = api(studio)
    tell = "problem => [problem instanceof api.Problem, problem.code, problem.message, problem.more]"
    is_one, code, text, _ = page.evaluate(f"api.ask('outlin').catch({tell})")
    assert is_one and code == "unknown" and "Did you mean outline" in text
    now = page.evaluate("api.edit([])")["revision"]
    page.evaluate("() => { api.document_.revision -= 1; }")
    assert page.evaluate(f"api.edit([]).catch({tell})")[3] == {"revision": now, "since": [[]]}


def test_a_job_is_heard_as_it_goes_and_can_be_cancelled(api, studio):
    page = api(studio)
    job = "const all = []; const job = api.job('compile', {}, (event) => all.push(event));"
    (done,) = page.evaluate(f"(async () => {{ {job} await job.ended; return all; }})()")
    assert done["done"]["problems"] == 0 and done["done"]["patterns"] == 8
    assert page.evaluate(f"(async () => {{ {job} job.cancel(); await job.ended; return all; }})()") == []
    wrong = "new Promise((done) => api.job('nothing', {}, done))"
    assert page.evaluate(wrong)["problem"]["code"] == "unknown"


FOLLOW = (
    "() => { window.heard = []; api.follow((event) => heard.push(Object.keys(event)[0] + (event.revision ?? ''))); }"
)


def wait_until_heard(page, event):
    """Wait for an event; Playwright's wait_for_function needs eval, which the page's CSP forbids."""
    page.evaluate(
        """(event) => new Promise((done) => {
          const look = () => (heard.includes(event) ? done() : setTimeout(look, 20));
          look();
        })""",
        event,
    )


def test_two_tabs_are_told_what_the_other_did(api, running):
    one, two = api(running), api(running)
    for page in (one, two):
        page.evaluate(FOLLOW)
        wait_until_heard(page, "state")
    one.evaluate("api.edit([{from: 0, to: 0, insert: '#\\n'}])")
    wait_until_heard(two, "edit2")
    assert two.evaluate("api.edit([]).catch((problem) => problem.code)") == "stale"
    two.evaluate("api.state().then(() => api.edit([{from: 0, to: 0, insert: '# two\\n'}]))")
    wait_until_heard(one, "edit3")
    one.evaluate("api.state().then(() => api.save())")
    wait_until_heard(two, "saved3")
    running.file.write_text("# from elsewhere\n", encoding="utf-8")
    for page in (one, two):
        wait_until_heard(page, "disk")
    assert one.evaluate("heard") == ["state", "edit3", "edit4", "disk"]
    assert two.evaluate("heard") == ["state", "edit2", "saved3", "edit4", "disk"]


def test_a_studio_that_has_ended_is_told_once_and_asking_it_is_a_problem(api, running):
    page = api(running)
    page.evaluate(FOLLOW)
    wait_until_heard(page, "state")
    running.interrupt()
    wait_until_heard(page, "offline")
    assert page.evaluate("api.ask('outline').catch((problem) => problem.code)") == "offline"
    page.wait_for_timeout(2500)
    assert page.evaluate("heard") == ["state", "offline"]


JOB = """() => new Promise((done) => {
  const events = [];
  api.job("prepare", {}, (event) => (events.push(event), event.progress || done(events)));
})"""


@pytest.mark.installed
def test_work_that_says_no_more_is_a_problem(api, studio):
    page = api(studio)
    said = 'data: {"progress": [0, 1]}\n\n'
    page.route("**/api/jobs/*/events", lambda route: route.fulfill(body=said, content_type="text/event-stream"))
    begun, problem = page.evaluate(JOB)
    assert begun == {"progress": [0, 1]} and problem["problem"]["code"] == "died"
    page.unroute_all(behavior="ignoreErrors")


@pytest.mark.installed
def test_nothing_of_another_origin_can_be_loaded_or_sent(api, studio):
    """The page's CSP refuses requests to other origins, modules from other origins, and inline scripts."""
    page = api(studio)
    assert page.evaluate("fetch('http://127.0.0.1:9/').catch((error) => error.name)") == "TypeError"
    assert page.evaluate("import('http://127.0.0.1:9/x.js').catch((error) => error.name)") == "TypeError"
    assert (
        page.evaluate(
            "() => new Promise((done) => { const s = document.createElement('script');"
            " s.textContent = 'window.ran = 1'; document.documentElement.append(s); done(window.ran ?? 0); })"
        )
        == 0
    )
