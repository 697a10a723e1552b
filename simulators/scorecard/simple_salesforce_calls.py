"""Calls of simple-salesforce against the org that the environment names; one line of JSON a call."""

import csv
import datetime
import io
import json
import os

import requests
from simple_salesforce import Salesforce, exceptions

session = requests.Session()
session.verify = os.environ["SF_CERTIFICATE"]
sf = Salesforce(
    instance=os.environ["SF_HOST"],
    session_id=os.environ["SF_ACCESS_TOKEN"],
    version="67.0",
    session=session,
)
made = {}


def raises(error, call):
    try:
        call()
    except error:
        return True
    return False


def create():
    made["id"] = sf.Account.create({"Name": "Python"})["id"]
    return made["id"].startswith("001")


def since():
    now = datetime.datetime.now(datetime.timezone.utc)
    return now - datetime.timedelta(minutes=5), now + datetime.timedelta(minutes=2)


def bulk_ids():
    return [row["Id"] for row in sf.query_all("SELECT Id FROM Account WHERE Name LIKE 'Bulk%'")["records"]]


def bulk2_insert():
    [job] = sf.bulk2.Account.insert(records=[{"Name": "Bulk2 A"}, {"Name": "Bulk2 B"}], wait=1)
    saved = csv.DictReader(io.StringIO(sf.bulk2.Account.get_successful_records(job["job_id"])))
    return job["numberRecordsProcessed"] == 2 and len(list(saved)) == 2


def bulk2_failed():
    [job] = sf.bulk2.Account.insert(records=[{"Name": "", "Phone": "1"}], wait=1)
    failed = sf.bulk2.Account.get_failed_records(job["job_id"])
    return job["numberRecordsFailed"] == 1 and "REQUIRED_FIELD_MISSING" in failed


def bulk2_pages():
    pages = list(sf.bulk2.Account.query("SELECT Id, Name FROM Account", max_records=2, wait=1))
    return len(pages) >= 2 and '"Id","Name"' in pages[0]


def succeeded(results):
    return len(results) > 0 and all(result["success"] for result in results)


CALLS = [
    ("describe", lambda: any(each["name"] == "Account" for each in sf.describe()["sobjects"])),
    ("is_sandbox", lambda: sf.is_sandbox() in (True, False)),
    ("limits", lambda: sf.limits()["DailyApiRequests"]["Remaining"] > 0),
    ("create", create),
    ("get", lambda: sf.Account.get(made["id"])["Name"] == "Python"),
    ("update", lambda: sf.Account.update(made["id"], {"Phone": "1"}) == 204),
    ("upsert", lambda: sf.Account.upsert("Vendor_Site_Id__c/P-1", {"Name": "Upserted"}) == 201),
    ("get_by_custom_id", lambda: sf.Account.get_by_custom_id("Vendor_Site_Id__c", "P-1")["Name"] == "Upserted"),
    ("metadata", lambda: sf.Account.metadata()["objectDescribe"]["name"] == "Account"),
    ("describe object", lambda: len(sf.Account.describe()["fields"]) > 20),
    ("query", lambda: sf.query("SELECT Id FROM Account LIMIT 1")["totalSize"] == 1),
    ("query_all", lambda: len(sf.query_all("SELECT Id FROM Product2")["records"]) >= 2500),
    ("query_all_iter", lambda: len(list(sf.query_all_iter("SELECT Id FROM Product2"))) >= 2500),
    ("query include_deleted", lambda: sf.query("SELECT Id FROM Account", include_deleted=True)["totalSize"] > 0),
    ("search", lambda: len(sf.search("FIND {Python} RETURNING Account(Id)")["searchRecords"]) == 1),
    ("quick_search", lambda: len(sf.quick_search("Python")["searchRecords"]) == 1),
    ("updated", lambda: made["id"] in sf.Account.updated(*since())["ids"]),
    ("restful", lambda: "query" in sf.restful("")),
    ("oauth2", lambda: "organization_id" in sf.oauth2("userinfo")),
    ("api_usage", lambda: sf.api_usage["api-usage"].used > 0),
    ("refusal", lambda: raises(exceptions.SalesforceMalformedRequest, lambda: sf.query("SELECT Nope FROM Account"))),
    ("not found", lambda: raises(exceptions.SalesforceResourceNotFound, lambda: sf.Account.get("001000000000000AAA"))),
    ("bulk insert", lambda: succeeded(sf.bulk.Account.insert([{"Name": "Bulk A"}, {"Name": "Bulk B"}]))),
    ("bulk query", lambda: len(sf.bulk.Account.query("SELECT Id, Name FROM Account WHERE Name LIKE 'Bulk%'")) == 2),
    ("bulk update", lambda: succeeded(sf.bulk.Account.update([{"Id": each, "Phone": "2"} for each in bulk_ids()]))),
    (
        "bulk upsert",
        lambda: succeeded(sf.bulk.Account.upsert([{"Vendor_Site_Id__c": "P-2", "Name": "Bulk C"}], "Vendor_Site_Id__c")),
    ),
    ("bulk delete", lambda: succeeded(sf.bulk.Account.delete([{"Id": each} for each in bulk_ids()]))),
    ("bulk2 insert", bulk2_insert),
    ("bulk2 failed records", bulk2_failed),
    ("bulk2 query", bulk2_pages),
    (
        "bulk2 update",
        lambda: sf.bulk2.Account.update(records=[{"Id": each, "Phone": "3"} for each in bulk_ids()], wait=1)[0][
            "numberRecordsFailed"
        ]
        == 0,
    ),
    (
        "bulk2 upsert",
        lambda: sf.bulk2.Account.upsert(
            records=[{"Vendor_Site_Id__c": "P-3", "Name": "Bulk2 C"}], external_id_field="Vendor_Site_Id__c", wait=1
        )[0]["numberRecordsProcessed"]
        == 1,
    ),
    (
        "bulk2 delete",
        lambda: sf.bulk2.Account.delete(records=[{"Id": each} for each in bulk_ids()], wait=1)[0][
            "numberRecordsFailed"
        ]
        == 0,
    ),
    ("delete", lambda: sf.Account.delete(made["id"]) == 204),
    ("deleted", lambda: any(row["id"] == made["id"] for row in sf.Account.deleted(*since())["deletedRecords"])),
]

for name, call in CALLS:
    try:
        passed, detail = bool(call()), ""
    except Exception as error:  # What the card tells is that the call failed, and how.
        passed, detail = False, f"{type(error).__name__}: {error}"[:200]
    print(json.dumps({"name": name, "passed": passed, "detail": detail}), flush=True)
