import { describe, expect, it } from 'vitest';
import {
  ACCREDITATION_TYPES,
  BILLING_CYCLES,
  CONSENT_STATUSES,
  codeOfName,
  LICENSING_SCHEMES,
  LOCAL_TIMEZONES,
  nameOfCode,
  OFFERINGS,
  ORDER_STATUSES,
  PRODUCT_TYPES,
  REVENUE_TYPES,
  SUPPORT_LEVELS,
  type ValueTable,
} from '../../src/partner-api/index.ts';

const tables: [string, ValueTable, number][] = [
  ['order statuses', ORDER_STATUSES, 25],
  ['consent statuses', CONSENT_STATUSES, 6],
  ['billing cycles', BILLING_CYCLES, 10],
  ['revenue types', REVENUE_TYPES, 20],
  ['product types', PRODUCT_TYPES, 15],
  ['offerings', OFFERINGS, 6],
  ['accreditation types', ACCREDITATION_TYPES, 2],
  ['support levels', SUPPORT_LEVELS, 6],
  ['licensing schemes', LICENSING_SCHEMES, 25],
];

describe('the enumerations of the order document', () => {
  it.each(tables)('%s: every code and every name once, and there and back again', (_name, table, size) => {
    expect(table).toHaveLength(size);
    const codes = table.flatMap((row) => row.code ?? []);
    const names = table.flatMap((row) => row.name ?? []);
    expect(new Set(codes).size).toBe(codes.length);
    expect(new Set(names).size).toBe(names.length);
    for (const { code, name } of table) {
      if (code === null || name === null) continue;
      expect(codeOfName(table, name)).toBe(code);
      expect(nameOfCode(table, code)).toBe(name);
    }
  });

  it('knows what v0 does not show, and does not guess what nobody shows', () => {
    expect(nameOfCode(ORDER_STATUSES, 'DFTE')).toBeNull();
    expect(nameOfCode(ORDER_STATUSES, 'PRC')).toBe('Sent to Vendor.Finance');
    expect(codeOfName(ORDER_STATUSES, 'No such status')).toBeNull();
    expect(new Set(LOCAL_TIMEZONES).size).toBe(28);
  });
});
