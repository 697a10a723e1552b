import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createBody, field, type Sandbox, startSandbox } from '../support/vendor-sandbox.ts';

let sandbox: Sandbox;

beforeEach(async () => {
  sandbox = await startSandbox();
});
afterEach(() => sandbox.close());

const CREATE = 'v1/leads-opportunities';
const make = (fields: object, type = 'leadOpportunity') => sandbox.admin('POST', 'records', { type, fields });

describe('records as a vendor user sees and edits them', () => {
  it('creates a vendor-created record from next to nothing', async () => {
    const made = await make({ name: 'Made there' });
    expect(made.status).toBe(201);
    const id = field(made.body, 'id') as string;
    expect(await sandbox.read(id)).toMatchObject({
      name: 'Made there',
      status: 'OPPY_OPEN',
      forecastCategory: 'UPSIDE',
      partnerLeadOpportunityId: null,
      currency: 'EUR',
    });
    expect(await sandbox.search({ partnerLeadOpportunityId: '' })).toEqual([id]);
  });

  it('understands the body of a create request', async () => {
    const made = await make(createBody('006-admin'));
    expect(field(made.body, 'fields', 'partnerLeadOpportunityId')).toBe('006-admin');
    expect(await sandbox.search({ partnerLeadOpportunityId: ['006-admin'] })).toEqual([field(made.body, 'id')]);
  });

  it('edits any field, moves modifiedDate, and sets it when asked', async () => {
    const id = await sandbox.create('006-edit');
    const before = await sandbox.read(id);
    await sandbox.admin('PATCH', `records/${id}`, {
      set: { partnerImportMode: 'M', customerLegalEntity: { id: 'S1' } },
    });
    const edited = await sandbox.read(id);
    expect(edited).toMatchObject({ partnerImportMode: 'M', customerLegalEntity: { id: 'S1', city: 'Lyon' } });
    expect((edited['modifiedDate'] as string) > (before['modifiedDate'] as string)).toBe(true);
    const at = '2025-01-02T03:04:05.678Z';
    await sandbox.admin('PATCH', `records/${id}`, { set: { status: 'WON' }, at });
    expect(await sandbox.read(id)).toMatchObject({
      status: 'WON',
      forecastCategory: 'WON',
      modifiedDate: at,
    });
  });

  it('deletes, after which a read answers ERROR_048', async () => {
    const id = await sandbox.create('006-gone');
    expect((await sandbox.admin('DELETE', `records/${id}`)).status).toBe(204);
    const answer = await sandbox.api('GET', `v1/leads-opportunities/${id}`);
    expect(field(answer.body, 'error', 'code')).toBe('ERROR_048');
    expect((await sandbox.api('POST', CREATE, createBody('006-gone'))).status).toBe(201);
  });

  it('lists by type', async () => {
    await sandbox.create('006-list');
    const listed = await sandbox.admin('GET', 'records?type=leadOpportunity');
    expect(field(listed.body, 'records')).toMatchObject([
      { type: 'leadOpportunity', fields: { partnerLeadOpportunityId: '006-list', partnerId: 'P000123' } },
    ]);
    const all = field((await sandbox.admin('GET', 'records')).body, 'records') as readonly unknown[];
    expect(all.length).toBeGreaterThan(1);
  });

  it('keeps portfolio items', async () => {
    const made = await make({ salesPortfolioId: 'OFR-X', salesPortfolioLevel1: 'New' }, 'portfolioItem');
    expect(made.status).toBe(201);
    await sandbox.admin('PATCH', 'records/OFR-X', { set: { salesPortfolioisOrderable: false } });
    const answer = await sandbox.api('GET', 'v0/portfolio-items/search');
    expect(field(answer.body, 'data')).toContainEqual(
      expect.objectContaining({ salesPortfolioId: 'OFR-X', salesPortfolioisOrderable: false }),
    );
  });

  it.each([
    ['an unknown field', { colour: 'red' }, 'leadOpportunity', 'colour'],
    ['a wrong type', { name: 3 }, 'leadOpportunity', 'fields.name'],
    ['an unknown record type', {}, 'invoice', 'leadOpportunity'],
  ])('refuses %s with a sentence', async (_what, fields, type, word) => {
    const answer = await make(fields, type);
    expect(answer.status).toBe(400);
    expect(field(answer.body, 'error', 'message')).toContain(word);
  });

  it('refuses a reference that another record has', async () => {
    await sandbox.create('006-taken');
    expect((await make({ partnerLeadOpportunityId: '006-taken' })).status).toBe(409);
  });

  it.each([
    ['PATCH', 'records/none', { set: {} }],
    ['DELETE', 'records/none', undefined],
    ['GET', 'records/none', undefined],
    ['GET', 'nothing-here', undefined],
  ])('%s %s answers 404', async (method, path, body) => {
    expect((await sandbox.admin(method, path, body)).status).toBe(404);
  });
});

it('a reset may leave the org empty', async () => {
  const empty = await sandbox.admin('POST', 'reset', { seed: 'empty' });
  expect(field(empty.body, 'counts')).toEqual({
    ...{ leadOpportunity: 0, portfolioItem: 0, order: 0 },
    ...{ accreditation: 0, priceList: 0, product: 0 },
  });
});

describe('log, clock, faults, quota', () => {
  it('logs requests by operation and version, and no admin calls or keys', async () => {
    const id = await sandbox.create('006-log');
    await sandbox.api('GET', `v0/leads-opportunities/${id}`);
    await sandbox.api('GET', `v0/leads-opportunities/${id}`, undefined, { apiKey: null });
    const { body } = await sandbox.admin('GET', 'requests');
    expect(field(body, 'requests')).toMatchObject([
      { operation: 'createLeadOpportunity', label: 'v1', method: 'POST', status: 201 },
      { operation: 'readLeadOpportunity', label: 'v0', method: 'GET', status: 200, body: null },
      { operation: 'readLeadOpportunity', label: 'v0', status: 401 },
    ]);
    expect(field(body, 'requests', '0', 'body', 'leadOpportunity', 'partnerLeadOpportunityId')).toBe('006-log');
    expect(field(body, 'counts')).toEqual({ createLeadOpportunity: 1, readLeadOpportunity: 2 });
    expect(JSON.stringify(body)).not.toContain(sandbox.apiKey);
    const reads = await sandbox.admin('GET', 'requests?operation=readLeadOpportunity');
    expect(field(reads.body, 'requests')).toHaveLength(2);
  });

  it('filters the log by time', async () => {
    await sandbox.create('006-early');
    await sandbox.admin('PUT', 'clock', { now: '2030-01-01T00:00:00.000Z' });
    await sandbox.create('006-late');
    const { body } = await sandbox.admin('GET', 'requests?since=2029-01-01T00:00:00Z');
    expect(field(body, 'requests')).toHaveLength(1);
    expect((await sandbox.admin('GET', 'requests?since=yesterday')).status).toBe(400);
  });

  it('stamps records by the injected clock', async () => {
    await sandbox.admin('PUT', 'clock', { now: '2030-01-01T00:00:00.000Z', advanceMs: 60_000 });
    const read = await sandbox.read(await sandbox.create('006-clock'));
    expect(read['createdDate']).toMatch(/^2030-01-01T00:01:0/);
  });

  it.each([
    ['POST', 'faults', { status: 503, colour: 'red' }, 'colour'],
    ['POST', 'faults', { operation: 'nothing', status: 503 }, 'operation'],
    ['POST', 'faults', {}, 'effect'],
    ['POST', 'faults', { cut: 'sometimes' }, 'cut'],
    ['POST', 'faults', { status: 503, hang: true }, 'one of'],
    ['PUT', 'quota', { limit: 1 }, 'windowSeconds'],
    ['PUT', 'quota', { limit: -1, windowSeconds: 1 }, 'limit'],
    ['PUT', 'clock', {}, 'advanceMs'],
    ['PUT', 'clock', { now: 'tomorrow' }, 'now'],
    ['POST', 'reset', { sead: 1 }, 'sead'],
    ['POST', 'records', { fields: {} }, 'type'],
  ])('refuses %s %s %j and says why', async (method, path, body, word) => {
    const answer = await sandbox.admin(method, path, body);
    expect(answer.status).toBe(400);
    expect(field(answer.body, 'error', 'message')).toContain(word);
  });
});

describe('state file', () => {
  it('survives a restart, with hashes in place of keys; a half-written one is moved aside', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lockstep-state-'));
    const state = join(folder, 'partner.json');
    const first = await startSandbox({ state });
    const id = await first.create('006-state');
    await first.close();
    expect(await readFile(state, 'utf8')).not.toContain(first.apiKey);
    const second = await startSandbox({ state, apiKey: first.apiKey });
    expect(await second.search({ partnerLeadOpportunityId: ['006-state'] })).toEqual([id]);
    expect(await second.create('006-state-2')).not.toBe(id);
    await second.close();
    await writeFile(state, '{"format":1,"sto');
    const notes: string[] = [];
    const third = await startSandbox({ state, notify: (sentence) => notes.push(sentence) });
    expect(await third.search({ partnerLeadOpportunityId: ['006-state'] })).toEqual([]);
    expect(notes.join()).toContain('.broken');
    await third.close();
    await writeFile(state, '{"format":99}');
    await expect(startSandbox({ state })).rejects.toThrow('choose another file');
    expect(await readFile(state, 'utf8')).toBe('{"format":99}');
    await rm(folder, { recursive: true });
  });
});
