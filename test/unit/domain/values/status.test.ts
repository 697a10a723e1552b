import { expect, test } from 'vitest';
import { DEFAULT_STAGES } from '../../../../src/domain/mapping/stages.ts';
import {
  inboundStage,
  isClosing,
  STATUS_NAMES,
  STATUSES,
  STATUSES_WITHOUT_CODE,
  statusCode,
  statusName,
  statusOfStage,
} from '../../../../src/domain/values/status.ts';
import { bareConfig, mappingConfig } from '../../../support/mapping/fixtures.ts';

test.each([
  ['Prospecting', 'LEAD_OPEN', 'LEAD_OPEN'],
  ['Qualification', 'QUALIFIED', 'QUALIFIED'],
  ['Needs Analysis', 'ACCEPTED', 'ACCEPTED'],
  ['Value Proposition', 'OPPY_OPEN', 'OPPY_OPEN'],
  ['Id. Decision Makers', 'OPPY_OPEN', 'OPPY_OPEN'],
  ['Perception Analysis', 'OPPY_OPEN', 'OPPY_OPEN'],
  ['Proposal/Price Quote', 'OPPY_VALID', null],
  ['Negotiation/Review', 'OPPY_ESTAB', null],
  ['Closed Won', 'WON', 'WON'],
  ['Closed Lost', 'OPPY_LOST', null],
  ['Not in the table', null, null],
  ['constructor', null, null],
])('stage %s stands for %s, without tenant codes for %s', (stage, configured, bare) => {
  expect(statusOfStage(stage, mappingConfig())).toBe(configured);
  expect(statusOfStage(stage, bareConfig())).toBe(bare);
});

test.each([
  ['LEAD_OPEN', 'Prospecting', false],
  ['QUALIFIED', 'Qualification', false],
  ['ACCEPTED', 'Needs Analysis', false],
  ['OPPY_OPEN', 'Value Proposition', false],
  ['OPPY_VALID', 'Proposal/Price Quote', false],
  ['OPPY_ESTAB', 'Negotiation/Review', false],
  ['WON', 'Closed Won', true],
  ['OPPY_LOST', 'Closed Lost', true],
  ['VALIDATED', null, false],
  ['MYSTERY', null, false],
  ['toString', null, false],
])('vendor status %s moves a deal to %s and closes it: %s', (code, stage, closing) => {
  expect(inboundStage(code, mappingConfig())).toBe(stage);
  expect(isClosing(code, mappingConfig())).toBe(closing);
});

test('a stage stands for one status, and the first of a status is where the CRM moves', () => {
  const stages = DEFAULT_STAGES.map((row) => row.stage);
  expect(new Set(stages).size).toBe(stages.length);
  expect(DEFAULT_STAGES.filter((row) => row.inbound).map((row) => row.status)).toEqual(STATUS_NAMES);
  expect(DEFAULT_STAGES.find((row) => row.status === 'OPPY_OPEN' && row.inbound)?.stage).toBe('Value Proposition');
});

test('the tenant gives the codes that the spec does not show', () => {
  expect(STATUSES_WITHOUT_CODE).toEqual(['VALIDATED', 'ESTABLISHED', 'LOST']);
});

test('a name that is no status has no code', () => {
  expect(statusCode('MYSTERY', mappingConfig())).toBeNull();
});

test('every status has a code exactly where the spec shows one', () => {
  for (const [name, row] of Object.entries(STATUSES)) {
    expect(statusCode(name, bareConfig())).toBe(row.documented ? name : null);
    const code = statusCode(name, mappingConfig());
    expect(code === null ? null : statusName(code, mappingConfig())).toBe(name);
  }
});

test('a documented code cannot be given another code, and an empty tenant code is none', () => {
  const values = { ...mappingConfig().values, status: { WON: 'OTHER', LOST: '' } };
  expect(statusCode('WON', mappingConfig({ values }))).toBe('WON');
  expect(statusCode('LOST', mappingConfig({ values }))).toBeNull();
});
