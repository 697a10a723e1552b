import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBody, field, type Sandbox, startSandbox } from '../support/vendor-sandbox.ts';

const sandboxes = new Map<string, Sandbox>();
const using = (mode: string): Sandbox => sandboxes.get(mode) as Sandbox;
let lastReference = 0;
const freshReference = (): string => `006-update-${++lastReference}`;

beforeAll(async () => {
  for (const patchArrays of ['replace', 'merge'] as const) {
    sandboxes.set(patchArrays, await startSandbox({ patchArrays }));
  }
});
afterAll(async () => {
  for (const sandbox of sandboxes.values()) await sandbox.close();
});

async function createAndPatch(mode: string, first: object, core: object, top: object = {}) {
  const sandbox = using(mode);
  const reference = freshReference();
  const id = await sandbox.create(reference, first);
  const before = await sandbox.read(id);
  const answer = await sandbox.api('PATCH', `v1/leads-opportunities/${id}`, {
    leadOpportunity: { partnerLeadOpportunityId: reference, ...core },
    ...top,
  });
  return { id, reference, before, answer, after: await sandbox.read(id) };
}

describe('update (sales spec 4.2)', () => {
  it('moves modifiedDate with each change, even within one millisecond of a standing clock', async () => {
    const sandbox = using('replace');
    const reference = freshReference();
    const id = await sandbox.create(reference);
    const stamps = [(await sandbox.read(id))['modifiedDate'] as string];
    await sandbox.admin('PUT', 'clock', { now: '2026-01-01T00:00:00.000Z' });
    for (const name of ['A', 'A', 'B']) {
      const body = { leadOpportunity: { partnerLeadOpportunityId: reference, name } };
      await sandbox.api('PATCH', `v1/leads-opportunities/${id}`, body);
      stamps.push((await sandbox.read(id))['modifiedDate'] as string);
    }
    expect(new Set(stamps).size).toBe(4);
    expect(stamps).toEqual([...stamps].sort());
    await sandbox.admin('POST', 'reset');
  });

  it('clears a text with an empty string', async () => {
    const { after } = await createAndPatch('replace', { core: { description: 'x' } }, { description: '' });
    expect(after['description']).toBe('');
  });

  it('takes back what it showed as null, and unsets by it what is set', async () => {
    const sandbox = using('replace');
    const id = await sandbox.create(freshReference());
    const shown = await sandbox.read(id);
    const contact = {
      email: 'a@b.example',
      firstName: 'A',
      lastName: 'B',
      phoneNumber: null,
      jobTitle: null,
    };
    const { partnerLeadOpportunityId } = shown;
    const answer = await sandbox.api('PATCH', `v1/leads-opportunities/${id}`, {
      leadOpportunity: { partnerLeadOpportunityId, description: null, competitors: null, poNumber: null },
      offerLines: [{ offerNameId: 'OFR-DES-001', amount: null, revenueType: null }],
      customerContacts: [contact],
    });
    expect(answer.status).toBe(200);
    const after = await sandbox.read(id);
    expect(after).toMatchObject({ description: '', competitors: [] });
    expect(after['offerLines']).toEqual([{ offerNameId: 'OFR-DES-001', amount: null, revenueType: null }]);
    expect(after['customerContact']).toEqual([{ ...contact, salutation: null }]);
  });

  it.each([
    ['no leadOpportunity', {}, 400, 'SANDBOX_INVALID'],
    ['no reference', { leadOpportunity: { name: 'x' } }, 400, 'SANDBOX_INVALID'],
    ['a null date', { leadOpportunity: { partnerLeadOpportunityId: 'r', nextMilestoneDate: null } }, 406, 'ERR805'],
    ['a bad currency', { leadOpportunity: { partnerLeadOpportunityId: 'r', currency: '€' } }, 400, 'SANDBOX_INVALID'],
  ])('refuses %s', async (_what, body, status, code) => {
    const sandbox = using('replace');
    const id = await sandbox.create(freshReference());
    const answer = await sandbox.api('PATCH', `v1/leads-opportunities/${id}`, body);
    expect([answer.status, field(answer.body, 'error', 'code')]).toEqual([status, code]);
  });

  it('refuses an unknown id and a reference of another record without touching anything', async () => {
    const sandbox = using('replace');
    const [taken, own] = [freshReference(), freshReference()];
    await sandbox.create(taken);
    const id = await sandbox.create(own);
    const before = await sandbox.read(id);
    const body = { leadOpportunity: { partnerLeadOpportunityId: taken, name: 'x' } };
    for (const target of [id, 'LO-99999999']) {
      const answer = await sandbox.api('PATCH', `v1/leads-opportunities/${target}`, body);
      expect([answer.status, field(answer.body, 'error', 'code')]).toEqual([400, 'SANDBOX_INVALID']);
    }
    expect(await sandbox.read(id)).toEqual(before);
  });

  it('gives a vendor-created record its reference', async () => {
    const sandbox = using('replace');
    const made = await sandbox.admin('POST', 'records', {
      type: 'leadOpportunity',
      fields: { name: 'Made there' },
    });
    const id = field(made.body, 'id') as string;
    const reference = freshReference();
    const body = { leadOpportunity: { partnerLeadOpportunityId: reference } };
    expect((await sandbox.api('PATCH', `v1/leads-opportunities/${id}`, body)).status).toBe(200);
    expect(await sandbox.search({ partnerLeadOpportunityId: [reference] })).toEqual([id]);
    const again = await sandbox.api('POST', 'v1/leads-opportunities', createBody(reference));
    expect(field(again.body, 'error', 'code')).toBe('ERR801');
  });

  it.each([
    ['v0', 'YEARLY_SOMETHING', 400],
    ['v1', 'YEARLY_SOMETHING', 200],
  ])('%s with revenueType %s answers %i', async (version, revenueType, status) => {
    const sandbox = using('replace');
    const reference = freshReference();
    const id = await sandbox.create(reference);
    const body = {
      leadOpportunity: { partnerLeadOpportunityId: reference },
      offerLines: [{ offerNameId: 'x', revenueType }],
    };
    expect((await sandbox.api('PATCH', `${version}/leads-opportunities/${id}`, body)).status).toBe(status);
  });
});

describe('update: the forecast that the system sets (sales spec 2.3)', () => {
  it.each([
    ['closing as won', { status: 'OPPY_OPEN' }, { status: 'WON' }, 'WON'],
    ['opening again', { status: 'WON' }, { status: 'OPPY_OPEN' }, 'UPSIDE'],
    ['another stage', { forecastCategory: 'COMMIT' }, { status: 'A_CODE_FOR_VALIDATED' }, 'COMMIT'],
    ['a given one', {}, { forecastCategory: 'SAFE' }, 'SAFE'],
  ])('%s', async (_what, first, core, expected) => {
    const { after } = await createAndPatch('replace', { core: first }, core);
    expect(after['forecastCategory']).toBe(expected);
  });

  it('refuses WON on an open record', async () => {
    const { answer } = await createAndPatch('replace', {}, { forecastCategory: 'WON' });
    expect(answer.status).toBe(400);
  });
});

const line = (offerNameId: string, amount: number) => ({ offerNameId, amount });
const contact = (email: string, lastName: string) => ({ email, firstName: 'F', lastName });
const names = (list: unknown) => (list as readonly { lastName: string }[]).map((item) => item.lastName);
const amounts = (list: unknown) =>
  (list as readonly { offerNameId: string; amount: number | null }[]).map((item) => [item.offerNameId, item.amount]);

describe('update: arrays by patchArrays', () => {
  const first = {
    top: {
      offerLines: [{ ...line('a', 1), revenueType: 'UPFRONT' }, line('a', 2), line('b', 3)],
      customerContacts: [contact('one@c.example', 'One'), contact('two@c.example', 'Two')],
      customerLegalEntity: { name: 'N', city: 'C', country: 'FR', vatNumber: 'V' },
    },
  };
  const change = {
    offerLines: [line('a', 10), line('c', 4)],
    customerContacts: [contact('TWO@c.example', 'Changed'), contact('three@c.example', 'Three')],
    customerLegalEntity: { name: 'N2', city: null, country: 'FR' },
  };

  it('replace: what is sent stands in for what was', async () => {
    const { after } = await createAndPatch('replace', first, {}, change);
    expect(amounts(after['offerLines'])).toEqual([
      ['a', 10],
      ['c', 4],
    ]);
    expect(names(after['customerContact'])).toEqual(['Changed', 'Three']);
    expect(after['customerLegalEntity']).toMatchObject({ name: 'N2', city: null, vatNumber: null });
  });

  it('merge: what pairs is overwritten, the rest is kept', async () => {
    const { after } = await createAndPatch('merge', first, {}, change);
    expect(amounts(after['offerLines'])).toEqual([
      ['a', 10],
      ['a', 2],
      ['b', 3],
      ['c', 4],
    ]);
    expect(field(after['offerLines'], '0', 'revenueType')).toBe('UPFRONT');
    expect(names(after['customerContact'])).toEqual(['One', 'Changed', 'Three']);
    expect(after['customerLegalEntity']).toMatchObject({ name: 'N2', city: null, vatNumber: 'V' });
  });

  it.each(['replace', 'merge'])('%s: lists of codes are replaced, an empty array clears', async (mode) => {
    const { after } = await createAndPatch(
      mode,
      { ...first, core: { competitors: ['A', 'B'], reasonWon: ['X'] } },
      { competitors: ['B', 'C'], reasonWon: [] },
      { customerContacts: [] },
    );
    expect(after).toMatchObject({ competitors: ['B', 'C'], reasonWon: [], customerContact: [] });
  });
});
