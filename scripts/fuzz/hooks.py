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

# Rules on present time and on two values at once, which JSON Schema cannot say (order spec 4.2).
RANGE_RULES = ("must be later than from.", "must not span more than ", "must not be in the future.")
# ERR801: a reference is taken once. ERROR_043: a period that ends before it begins. SANDBOX_INVALID: not documented.
SALES_CODES = ("ERR801", "ERROR_043", "SANDBOX_INVALID")

numbers = itertools.count(1)
valid_sent = {}
valid_accepted = {}
refused = {}


def is_valid(case):
    return case.meta is not None and case.meta.generation.mode == GenerationMode.POSITIVE


def has_reason(path, response):
    body = response.json()
    if path.startswith("/sales/"):
        return response.status_code == 400 and body["error"]["code"] in SALES_CODES
    details = [fault["detail"] for fault in body["error"][0].get("errors", [])]
    is_range_rule = len(details) > 0 and all(detail.startswith(RANGE_RULES) for detail in details)
    return path.endswith("/orders/search") and is_range_rule


def reason_of(response):
    error = response.json().get("error")
    if isinstance(error, dict):
        return error["code"] + " " + error["message"]
    if isinstance(error, list):
        return error[0]["title"] + " " + " ".join(fault["detail"] for fault in error[0].get("errors", []))
    return ""


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
    if is_valid(case) and response.status_code in (400, 406) and not has_reason(case.operation.path, response):
        raise AssertionError("Valid data was refused without a documented reason")


@schemathesis.hook
def after_call(ctx, case, response):
    key = f"{case.operation.method.upper()} {case.operation.path}"
    if not is_valid(case) or case.method.upper() != case.operation.method.upper():
        return
    valid_sent[key] = valid_sent.get(key, 0) + 1
    if response.status_code < 300:
        valid_accepted[key] = valid_accepted.get(key, 0) + 1
    else:
        why = f"{response.status_code} {reason_of(response)}"
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
