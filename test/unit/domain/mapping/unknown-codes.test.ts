import { expect, it } from 'vitest';
import { isKnownCode, unknownCodes } from '../../../../src/domain/mapping/index.ts';
import type { Observed } from '../../../../src/domain/record/canonical.ts';
import type { MappingConfig } from '../../../../src/domain/record/mapping-config.ts';
import { mappingConfig } from '../../../support/mapping/fixtures.ts';

const result = (record: Observed, mapping: Partial<MappingConfig> = {}) =>
  unknownCodes(record, mappingConfig(mapping)).map(({ field, code }) => `${field} ${code}`);
const line = (revenueType: string | null) => ({ offerNameId: 'A', amount: '1', revenueType });

it.each<[string, Observed, readonly string[]]>([
  ['codes that the documents show', { status: 'WON', forecastCategory: 'SAFE', reasonWon: ['LWR_IMPL_COST'] }, []],
  ['a status', { status: 'ON_HOLD' }, ['status ON_HOLD']],
  ['a forecast', { forecastCategory: 'OMITTED' }, ['forecastCategory OMITTED']],
  ['reasons', { reasonLost: ['FUNC_GAP', 'MERGER', 'MERGER'] }, ['reasonLost MERGER']],
  ['a revenue type, once', { offerLines: [line('V2'), line('V2'), line('UPFRONT'), line(null)] }, ['revenueType V2']],
  ['texts that nobody lists', { competitors: ['Acme'], gtmTacticId: 'T-1', description: 'words' }, []],
  ['nothing', { status: null, reasonWon: [], offerLines: [] }, []],
])('of %s tells %3$j', (_, record, codes) => expect(result(record)).toEqual(codes));

it('knows what the tenant gives a code, and asks a value table where there is one', () => {
  const { values } = mappingConfig();
  const own = { ...values, status: { LOST: 'ON_HOLD' }, reasonLost: { MERGED: 'MERGER' } };
  const record = { status: 'ON_HOLD', reasonLost: ['MERGER'], gtmTacticId: 'T-1' };
  expect(result(record, { values: own })).toEqual([]);
  const table = { gtmTacticId: { values: [['Phone', 'IS'] as const] } };
  expect(result(record, { values: own, fields: table })).toEqual(['gtmTacticId T-1']);
  expect(isKnownCode({ field: 'gtmTacticId', code: 'IS' }, mappingConfig({ fields: table }))).toBe(true);
});

it('asks the list of the vendor where the tenant has one', () => {
  const lists = { competitors: ['ACME'], reasonWon: ['LWR_IMPL_COST'] };
  const record = { competitors: ['ACME', 'GLOBEX'], reasonWon: ['LWR_IMPL_COST', 'SOLUTION_FUNCT'] };
  expect(result(record, { lists })).toEqual(['reasonWon SOLUTION_FUNCT', 'competitors GLOBEX']);
});
