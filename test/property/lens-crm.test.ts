import { expect, test } from 'vitest';
import { pairLines } from '../../src/domain/lines/pair-lines.ts';
import {
  afterCrmWrite,
  type CrmWriteContext,
  crmWrite,
  observeCrm,
  sameValue,
} from '../../src/domain/mapping/index.ts';
import type { FieldName, Observed } from '../../src/domain/record/canonical.ts';
import { change, crmGraphs, offerLines } from '../support/arbitraries.ts';
import { mappingConfig } from '../support/mapping/fixtures.ts';
import fc from '../support/properties.ts';

/** Laws of the CRM's lens: what was just written reads back as equal, twice is once, and finer values stay. */

const config = mappingConfig({ closeFromVendor: true });
/** Fields that only travel to the vendor, and the site id, which only fills. */
const CRM_OWN: readonly FieldName[] = [
  'currency',
  'customerLegalEntity',
  'customerContacts',
  'partnerContacts',
  'customerSiteId',
];

const context: CrmWriteContext = { config };

test('a write reads back as the change', () => {
  fc.assert(
    fc.property(crmGraphs, change, (graph, changes) => {
      const { write } = crmWrite(changes, graph, context);
      const seen = observeCrm(write === null ? graph : afterCrmWrite(graph, write), config).record;
      const fields = (Object.keys(changes) as FieldName[]).filter((field) => !CRM_OWN.includes(field));
      const differ = fields.filter((field) => !sameValue(field, expected(field, changes), shown(field, seen), config));
      const stageless = changes.status?.startsWith('X_') ? ['status'] : [];
      const nameless = changes.name?.trim() === '' ? ['name'] : [];
      expect(differ.filter((field) => ![...stageless, ...nameless].includes(field))).toEqual([]);
    }),
  );
});

test('a status without a stage lands raw and moves no stage', () => {
  fc.assert(
    fc.property(crmGraphs, fc.stringMatching(/^X_[A-Z]{2,8}$/), (graph, status) => {
      const { write } = crmWrite({ status }, graph, context);
      const after = write === null ? graph : afterCrmWrite(graph, write);
      expect(after.opportunity['Vendor_Status__c']).toBe(status);
      expect(after.opportunity['StageName']).toBe(graph.opportunity['StageName']);
    }),
  );
});

test('writing the same twice writes once', () => {
  fc.assert(
    fc.property(crmGraphs, change, (graph, changes) => {
      const first = crmWrite(changes, graph, context);
      const after = withIds(first.write === null ? graph : afterCrmWrite(graph, first.write));
      expect(crmWrite(changes, after, context).write).toBeNull();
    }),
  );
});

test('writing back what the CRM shows changes nothing, however fine its own values are', () => {
  fc.assert(
    fc.property(crmGraphs, (graph) => {
      const { record } = observeCrm(graph, config);
      const { status, ...rest } = record;
      expect(crmWrite(rest, graph, context).write).toBeNull();
      const write = crmWrite({ status: status ?? null }, graph, context).write;
      expect(Object.keys(write?.opportunity ?? {}).filter((field) => field !== 'Vendor_Status__c')).toEqual([]);
    }),
  );
});

test('nobody else’s fields are written', () => {
  fc.assert(
    fc.property(crmGraphs, change, (graph, changes) => {
      const { write } = crmWrite(changes, graph, context);
      const fields = Object.keys(write?.opportunity ?? {});
      const forbidden = ['Amount', 'CurrencyIsoCode', 'OwnerId', 'AccountId', 'Id', 'Vendor_Share__c'];
      expect(fields.filter((field) => forbidden.includes(field))).toEqual([]);
      const own = graph.lines.filter((row) => row['Product2.Vendor_Offer_Id__c'] === null).map((row) => row['Id']);
      const touched = [...(write?.lines.delete ?? []), ...(write?.lines.update ?? []).map((row) => row['Id'])];
      expect(touched.filter((id) => own.includes(id ?? null))).toEqual([]);
      if (write?.account) expect(graph.account?.['Vendor_Site_Id__c']).toBeNull();
    }),
  );
});

test('pairs are one to one and pair all that is equal', () => {
  const known = fc.array(fc.record({ crmLineId: fc.constantFrom('a0', 'a1', 'gone'), position: fc.nat(6) }));
  fc.assert(
    fc.property(offerLines, offerLines, known, (left, right, pairs) => {
      const crm = left.map((line, index) => ({ ...line, crmLineId: `a${index}` }));
      const found = pairLines(crm, right, pairs);
      expect(new Set(found.map((pair) => pair.crmLineId)).size).toBe(found.length);
      expect(new Set(found.map((pair) => pair.position)).size).toBe(found.length);
      const freeCrm = crm.filter((line) => !found.some((pair) => pair.crmLineId === line.crmLineId));
      const freeVendor = right.filter((_, index) => !found.some((pair) => pair.position === index));
      const missed = freeCrm.filter((line) => freeVendor.some((other) => other.offerNameId === line.offerNameId));
      expect(missed).toEqual([]);
      expect(pairLines(crm, right, found)).toEqual(found);
    }),
  );
});

/** Lines that the CRM has just made have ids when they are read next. */
function withIds(graph: ReturnType<typeof afterCrmWrite>): ReturnType<typeof afterCrmWrite> {
  return { ...graph, lines: graph.lines.map((row, index) => ({ Id: `00kNEW${index}`, ...row })) };
}

/** The CRM's own revenue types that have no vendor code stay where the vendor shows none; lines compare without. */
function expected(field: FieldName, changes: Observed): unknown {
  return field === 'offerLines' ? bare(changes) : asStored(changes[field]);
}

/** Salesforce drops blanks around a text. */
function asStored(value: unknown): unknown {
  return typeof value === 'string' ? value.trim() : value;
}

function shown(field: FieldName, seen: Observed): unknown {
  return field === 'offerLines' ? bare(seen) : asStored(seen[field]);
}

function bare(record: Observed): unknown {
  return record.offerLines?.map((line) => ({ ...line, revenueType: null }));
}
