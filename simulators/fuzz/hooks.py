"""
What the fuzzer cannot know from OpenAPI alone: which refusals of valid data have a documented reason. Also counts how
much of the valid data was accepted, so that a run in which everything was refused does not pass for a good one.
"""

import atexit
import itertools
import json
import os

import schemathesis
from schemathesis.generation import GenerationMode

# Why valid data may be refused: the name of the reason and what the answer begins with.
SALES_REASONS = {
    "ERR801: a reference is taken once (sales spec 7)": "400 ERR801",
    "ERROR_043: a period ends before it begins (sales spec 4.4)": "400 ERROR_043",
    "ERROR_048: no such record in the scope (sales spec 7)": "500 ERROR_048",
    "update of a record that does not exist (code not shown)": "400 SANDBOX_INVALID id: there is no such record",
    "update with a reference that another record has (code not shown)": (
        "400 SANDBOX_INVALID partnerLeadOpportunityId: belongs to another"
    ),
    "a forecast that the system sets (sales spec 2.3)": "400 SANDBOX_INVALID leadOpportunity.forecastCategory",
}
ORDER_REASONS = {
    "no such order (order spec 4.3)": "404 There is no such order.",
    "no such accreditation (order spec 4.6, 4.7)": "404 There is no such accreditation.",
    "no such price list (order spec 4.6)": "404 There is no such price list.",
    "no such package or offer (order spec 4.8)": "404 There is no such package or offer",
}
# Rules on present time and on two values at once, which JSON Schema cannot say.
RANGE_RULES = ("must be later than from.", "must not span more than ", "must not be in the future.")
RANGE_REASON = "a range of an order search (order spec 4.2)"

numbers = itertools.count(1)
valid_sent = {}
valid_accepted = {}
refused = {}


def is_valid(case):
    return case.meta is not None and case.meta.generation.mode == GenerationMode.POSITIVE


def reason_of(path, response):
    """The name of the documented reason of a refusal; None when it has none."""
    error = response.json().get("error")
    if path.startswith("/sales/"):
        said = f"{response.status_code} {error['code']} {error['message']}"
        return next((name for name, start in SALES_REASONS.items() if said.startswith(start)), None)
    said = f"{response.status_code} {error[0]['title']}"
    details = [fault["detail"] for fault in error[0].get("errors", [])]
    if len(details) > 0 and all(detail.startswith(RANGE_RULES) for detail in details):
        return RANGE_REASON if path.endswith("/orders/search") else None
    return next((name for name, start in ORDER_REASONS.items() if said.startswith(start)), None)


@schemathesis.hook
def map_body(ctx, body):
    """A partner reference is taken once, and generated ones repeat: most get a number, so that creates succeed."""
    core = body.get("leadOpportunity") if isinstance(body, dict) else None
    reference = core.get("partnerLeadOpportunityId") if isinstance(core, dict) else None
    if not isinstance(reference, str) or reference == "":
        return body
    number = next(numbers)
    if number % 8 == 0:
        return body
    return {**body, "leadOpportunity": {**core, "partnerLeadOpportunityId": f"{reference}-{number}"}}


@schemathesis.check
def refusal_has_a_reason(ctx, response, case):
    if is_valid(case) and is_refusal(response) and reason_of(case.operation.path, response) is None:
        raise AssertionError("Valid data was refused without a documented reason")


def is_refusal(response):
    return response.status_code in (400, 404, 406, 500)


@schemathesis.hook
def after_call(ctx, case, response):
    key = f"{case.operation.method.upper()} {case.operation.path}"
    if not is_valid(case) or case.method.upper() != case.operation.method.upper():
        return
    valid_sent[key] = valid_sent.get(key, 0) + 1
    if response.status_code < 300:
        valid_accepted[key] = valid_accepted.get(key, 0) + 1
    else:
        known = reason_of(case.operation.path, response) if is_refusal(response) else None
        why = known or f"HTTP {response.status_code}"
        seen = refused.setdefault(key, {})
        seen[why] = seen.get(why, 0) + 1


@atexit.register
def write_counts():
    counts = {
        key: {"sent": sent, "accepted": valid_accepted.get(key, 0), "refused": refused.get(key, {})}
        for key, sent in valid_sent.items()
    }
    with open(os.environ["LOCKSTEP_FUZZ_COUNTS"], "w", encoding="utf-8") as file:
        json.dump(counts, file, indent=2)
