import { expect, test } from 'vitest';
import { createBody, observeVendor, sameValue, updateBody } from '../../src/domain/mapping/index.ts';
import type { FieldName, Observed } from '../../src/domain/record/canonical.ts';
import type { VendorIntent } from '../../src/domain/record/intent.ts';
import { canonicalRecord, change, zone } from '../support/arbitraries.ts';
import { bareConfig, mappingConfig } from '../support/mapping/fixtures.ts';
import { echoOfCreate, echoOfUpdate } from '../support/partner-api/vendor-echo.ts';
import fc from '../support/properties.ts';

/** Laws of the vendor's lens: what was just sent reads back as equal, whatever the zone and the tenant's codes. */

const reference = '006000000000001AAA';
const readAt = '2026-03-01T10:00:03.000Z';
const configs = fc
  .tuple(zone, fc.boolean())
  .map(([at, bare]) => (bare ? bareConfig({ zone: at }) : mappingConfig({ zone: at })));

function differing(sent: Observed, seen: Observed, config = mappingConfig()): FieldName[] {
  const fields = Object.keys(sent) as FieldName[];
  return fields.filter((field) => !sameValue(field, sent[field], seen[field], config));
}

function created(intent: VendorIntent | null): VendorIntent {
  if (intent === null) throw new Error('the record is complete, so it must be sendable');
  return intent;
}

test('a create reads back as what was sent', () => {
  fc.assert(
    fc.property(canonicalRecord, configs, (record, config) => {
      const intent = created(createBody(record, { reference, config }).intent);
      const raw = JSON.parse(JSON.stringify(echoOfCreate(intent.body)));
      const seen = observeVendor(raw, config, readAt);
      expect(differing(intent.record, seen.record, config)).toEqual([]);
      expect(seen.reference).toBe(reference);
      expect(seen.unknownFields).toEqual([]);
    }),
  );
});

test('what a create carries is what the record says, but for codes it may not send', () => {
  fc.assert(
    fc.property(canonicalRecord, (record) => {
      const { record: sent } = created(createBody(record, { reference, config: mappingConfig() }).intent);
      const differ = differing(sent, record);
      expect(differ).toEqual([]);
      const silent = (Object.keys(record) as FieldName[]).filter((field) => !(field in sent));
      const unset = silent.filter((field) => field !== 'forecastCategory' && !isUnset(record[field]));
      expect(unset).toEqual([]);
    }),
  );
});

test('an update reads back as what was sent, and leaves the rest as it was', () => {
  fc.assert(
    fc.property(canonicalRecord, change, configs, (record, changes, config) => {
      const before = echoOfCreate(created(createBody(record, { reference, config }).intent).body);
      const present = observeVendor(before, config, readAt).record;
      const target = { ...present, ...changes };
      const { intent, withheld } = updateBody(changes, { reference, config, present, target });
      const raw = intent === null ? before : echoOfUpdate(before, intent.body);
      const seen = observeVendor(JSON.parse(JSON.stringify(raw)), config, readAt).record;
      expect(differing({ ...present, ...intent?.record }, seen, config)).toEqual([]);
      const sentOrWithheld = new Set([...(intent?.fields ?? []), ...withheld.map((item) => item.field)]);
      expect(Object.keys(changes).filter((field) => !sentOrWithheld.has(field as FieldName))).toEqual([]);
    }),
  );
});

test('no change makes no request', () => {
  fc.assert(
    fc.property(canonicalRecord, (record) => {
      const result = updateBody({}, { reference, config: mappingConfig(), present: record, target: record });
      expect(result).toEqual({ intent: null, withheld: [] });
    }),
  );
});

test('bodies never carry a null, an EMPTY, a forecast of the system or an unconfigured revenue type', () => {
  fc.assert(
    fc.property(canonicalRecord, configs, (record, config) => {
      const { body } = created(createBody(record, { reference, config }).intent);
      const core = body['leadOpportunity'] as Record<string, unknown>;
      expect(Object.values(core)).not.toContain(null);
      expect(['WON', 'LOST', 'LONGSHOT']).not.toContain(core['forecastCategory']);
      const types = (body['offerLines'] as { revenueType?: string }[]).map((line) => line.revenueType);
      const allowed = [undefined, ...Object.values(config.values.revenueType)];
      expect(types.filter((type) => !allowed.includes(type))).toEqual([]);
    }),
  );
});

function isUnset(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}
