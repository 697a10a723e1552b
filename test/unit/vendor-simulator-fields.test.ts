import { CORE_LISTS, CORE_TEXTS } from 'lockstep-simulators/testing';
import { expect, it } from 'vitest';
import { lensOf } from '../../src/domain/mapping/index.ts';
import { FIELD_NAMES, FIELDS } from '../../src/domain/record/fields.ts';

/** What the vendor simulator does not keep, no test on it notices to be lost. */
const KEPT: readonly string[] = [...Object.keys(CORE_TEXTS), ...CORE_LISTS];

it('the vendor simulator keeps every field that goes to the vendor', () => {
  const sent = FIELD_NAMES.filter((field) => FIELDS[field].direction !== 'to-crm');
  const core = sent.filter((field) => lensOf(field).vendor.place === 'core');
  expect(core.length).toBeGreaterThan(10);
  const lost = core.filter((field) => !KEPT.includes(lensOf(field).vendor.key ?? field));
  expect(
    lost.map(
      (field) =>
        `${field}: the vendor simulator drops it: add it to CORE_TEXTS or CORE_LISTS of simulators/src/vendor/lead-opportunity.ts, then npm run docs:openapi`,
    ),
  ).toEqual([]);
});
