"""Tests, run by node, of shared requests: equal questions share one request, and each is answered."""

from __future__ import annotations

import json

from npm_packages import eval_node, needs_node

from littlego.studio.app import STATIC

# A server with one process, which answers only the newest request of each method and slot, like
# tools/littlego/studio/worker.py.
HEAD = f"""
import {{ sharing }} from {json.dumps((STATIC / "sharing.js").as_uri())};
const sent = [];
const waiting = new Map();
const send = (method, params, {{ slot, signal }}) =>
  new Promise((resolve, reject) => {{
    const channel = `${{method}} ${{slot}}`;
    waiting.get(channel)?.reject(new Error("stale"));
    waiting.set(channel, {{ resolve, reject }});
    sent.push([method, params, slot]);
    signal.addEventListener("abort", () => reject(new Error("given up")));
  }});
const answer = (method, slot, value) => {{
  waiting.get(`${{method}} ${{slot}}`).resolve(value);
  waiting.delete(`${{method}} ${{slot}}`);
}};
const shared = sharing();
const ask = (...asked) => shared(send, ...asked);
const told = (problem) => (problem.name === "AbortError" ? "gone" : problem.message);
const outcome = (promise) => promise.then((value) => value, told);
"""


def run(script):
    """Return a script's output as JSON."""
    return eval_node(HEAD + script)


@needs_node
def test_who_asks_the_same_shares_one_request_and_its_answer():
    told = run("""
    const both = [ask("outline", {}, 1), ask("outline", {}, 1)].map(outcome);
    const other = outcome(ask("outline", {}, 2)); // about another revision
    answer("outline", 1, "old");
    answer("outline", 2, "new");
    tell([sent, await Promise.all(both), await other]);
    """)
    assert told == [[["outline", {}, 1], ["outline", {}, 2]], ["old", "old"], "new"]


@needs_node
def test_two_who_ask_otherwise_are_both_answered():
    told = run("""
    const what = ["a", "b"].map((without) => outcome(ask("what_if", { without }, 1)));
    answer("what_if", 2, "of b");
    answer("what_if", 1, "of a");
    tell(await Promise.all(what));
    """)
    assert told == ["of a", "of b"]


@needs_node
def test_a_newer_question_takes_the_place_of_the_one_that_was_given_up():
    told = run("""
    const stays = outcome(ask("slide", { more: 0 }, 1));
    const all = [];
    for (let more = 1; more <= 5; more += 1) {
      const control = new AbortController();
      all.push(outcome(ask("slide", { more }, 1, control.signal)));
      if (more < 5) control.abort();
    }
    answer("slide", 1, "as it is");
    answer("slide", 2, "five more");
    tell([sent.map(([, { more }, slot]) => [more, slot]), await stays, await Promise.all(all)]);
    """)
    assert told[0] == [[0, 1], [1, 2], [2, 2], [3, 2], [4, 2], [5, 2]]
    assert told[1:] == ["as it is", ["gone", "gone", "gone", "gone", "five more"]]


@needs_node
def test_who_leaves_does_not_take_the_answer_from_who_stays():
    told = run("""
    const control = new AbortController();
    const leaves = outcome(ask("entry", { pattern: "a" }, 1, control.signal));
    const stays = outcome(ask("entry", { pattern: "a" }, 1));
    control.abort();
    const next = outcome(ask("entry", { pattern: "b" }, 1)); // of the one who left
    answer("entry", 1, "a");
    answer("entry", 2, "b");
    tell([sent.length, await leaves, await stays, await next]);
    """)
    assert told == [2, "gone", "a", "b"]


@needs_node
def test_an_answer_is_not_kept_for_who_asks_later_and_its_slot_is_free():
    told = run("""
    const first = outcome(ask("outline", {}, 1));
    answer("outline", 1, "one");
    await first;
    const second = outcome(ask("outline", {}, 1));
    answer("outline", 1, "two");
    const control = new AbortController();
    control.abort();
    tell([sent.length, await second, await outcome(ask("outline", {}, 1, control.signal)), sent.length]);
    """)
    assert told == [2, "two", "gone", 2]


@needs_node
def test_a_problem_is_told_to_all_who_ask():
    told = run("""
    const both = [ask("check", {}, 1), ask("check", {}, 1)].map(outcome);
    waiting.get("check 1").reject(new Error("died"));
    tell(await Promise.all(both));
    """)
    assert told == ["died", "died"]


def test_the_server_answers_the_newest_request_of_each_slot(client):
    asked = []
    worker = client.studio.lanes.workers["quick"]
    answered = worker.ask

    async def ask(page, *request):
        asked.append(page)
        return await answered(page, *request)

    worker.ask = ask
    for slot in ({}, {"slot": 0}, {"slot": 2}):
        assert client.post("/api/ask/outline", revision=1, **slot)["answer"]["entries"]
    assert asked == ["one 0", "one 0", "one 2"]
    assert client.code("/api/ask/outline", revision=1, slot="2") == "invalid"
