import { expect } from 'vitest';
import type { Probe } from './rule-probes-order.ts';
import { createBody, field, type Sandbox } from './vendor-sandbox.ts';

const CREATE = 'v1/leads-opportunities';
let references = 0;
/** A partner reference that no other probe uses. */
function fresh(): string {
  references += 1;
  return `006-rule-${references}`;
}

async function refuses(sandbox: Sandbox, path: string, body: unknown, status: number, code: string) {
  const answer = await sandbox.api('POST', path, body);
  expect([answer.status, field(answer.body, 'error', 'code')], JSON.stringify(body)).toEqual([status, code]);
  expect(field(answer.body, 'info')).toMatchObject({ success: false, statusCode: status });
}

async function made(sandbox: Sandbox, core: Readonly<Record<string, unknown>>, top = {}) {
  return sandbox.read(await sandbox.create(fresh(), { core, top }));
}

/** One probe for each rule of the sales domain, by the rule's text. */
export const SALES_PROBES: Readonly<Record<string, Probe>> = {
  'required fields, currency of 3 uppercase letters': async (sandbox) => {
    for (const name of ['partnerLeadOpportunityId', 'name', 'status', 'closeDate', 'currency']) {
      await refuses(sandbox, CREATE, createBody(fresh(), { core: { [name]: undefined } }), 400, 'SANDBOX_INVALID');
    }
    for (const name of ['partnerId', 'leadOpportunity', 'offerLines', 'customerLegalEntity']) {
      await refuses(sandbox, CREATE, createBody(fresh(), { top: { [name]: undefined } }), 400, 'SANDBOX_INVALID');
    }
    for (const currency of ['eur', 'EURO', 'EU', '']) {
      await refuses(sandbox, CREATE, createBody(fresh(), { core: { currency } }), 400, 'SANDBOX_INVALID');
    }
  },
  defaults: async (sandbox) => {
    expect(await made(sandbox, {})).toMatchObject({
      reasonWon: ['STRNG_VAL_PROP'],
      reasonLost: ['NO_PROJECT'],
      dsOwnerEmail: 'partner.sales.manager@vendor.example',
    });
  },
  'forecast: ignored early, UPSIDE by default, Won by the system': async (sandbox) => {
    for (const status of ['LEAD_OPEN', 'QUALIFIED', 'ACCEPTED']) {
      expect((await made(sandbox, { status, forecastCategory: 'SAFE' }))['forecastCategory']).toBe('');
    }
    expect((await made(sandbox, {}))['forecastCategory']).toBe('UPSIDE');
    expect((await made(sandbox, { forecastCategory: 'SAFE' }))['forecastCategory']).toBe('SAFE');
    expect((await made(sandbox, { status: 'WON' }))['forecastCategory']).toBe('WON');
  },
  'offer lines are not empty; revenueType is closed in v0, open in v1': async (sandbox) => {
    const lines = (offerLines: unknown) => createBody(fresh(), { top: { offerLines } });
    await refuses(sandbox, CREATE, lines([]), 400, 'SANDBOX_INVALID');
    await refuses(sandbox, CREATE, lines([{ amount: 1 }]), 400, 'SANDBOX_INVALID');
    const yearly = [{ offerNameId: 'x', revenueType: 'RENTAL_YEARLY' }];
    await refuses(sandbox, 'v0/leads-opportunities', lines(yearly), 400, 'SANDBOX_INVALID');
    expect((await sandbox.api('POST', CREATE, lines(yearly))).status).toBe(201);
    const booked = [{ offerNameId: 'x', revenueType: 'RENTAL_BOOKING' }];
    expect((await sandbox.api('POST', 'v0/leads-opportunities', lines(booked))).status).toBe(201);
  },
  'name, city and country are there, and may be null': async (sandbox) => {
    const entity = (customerLegalEntity: object) => createBody(fresh(), { top: { customerLegalEntity } });
    await refuses(sandbox, CREATE, entity({ name: 'x', city: 'y' }), 400, 'SANDBOX_INVALID');
    const nulls = entity({ name: null, city: null, country: null });
    expect((await sandbox.api('POST', CREATE, nulls)).status).toBe(201);
  },
  'contacts read in the singular, no partner contact as null': async (sandbox) => {
    const customerContacts = [{ email: 'e', firstName: 'f', lastName: 'l' }];
    const read = await made(sandbox, {}, { customerContacts });
    expect(read).toMatchObject({ customerContact: customerContacts, partnerContact: null });
    expect(Object.keys(read)).not.toContain('customerContacts');
  },
  'timestamp in create and 503, timeStamp elsewhere': async (sandbox) => {
    const spelling = (body: unknown) => Object.keys(field(body, 'info') as object).filter((key) => /time/i.test(key));
    const created = await sandbox.api('POST', CREATE, createBody(fresh()));
    expect(spelling(created.body)).toEqual(['timestamp']);
    await sandbox.admin('POST', 'faults', { status: 503, times: 1 });
    expect(spelling((await sandbox.api('GET', `${CREATE}/x`)).body)).toEqual(['timestamp']);
    for (const path of [`${CREATE}/x`, 'v0/portfolio-items/search']) {
      expect(spelling((await sandbox.api('GET', path)).body)).toEqual(['timeStamp']);
    }
  },
  'create answers 201 with both ids and the action': async (sandbox) => {
    const reference = fresh();
    const { status, body } = await sandbox.api('POST', CREATE, createBody(reference));
    expect(status).toBe(201);
    expect(body).toEqual({
      dsLeadOpportunityId: expect.any(String),
      partnerLeadOpportunityId: reference,
      action: 'create',
      info: { success: true, statusCode: 201, timestamp: expect.any(String), traceId: expect.any(String) },
      error: null,
    });
  },
  'update is partial and answers both ids and the action': async (sandbox) => {
    const reference = fresh();
    const id = await sandbox.create(reference);
    const before = await sandbox.read(id);
    const change = { leadOpportunity: { partnerLeadOpportunityId: reference, nextMilestone: 'Review' } };
    const { status, body } = await sandbox.api('PATCH', `${CREATE}/${id}`, change);
    expect(status).toBe(200);
    expect(field(body, 'data')).toEqual({
      partnerLeadOpportunityId: reference,
      dsLeadOpportunityId: id,
      action: 'update',
    });
    const { modifiedDate, ...after } = await sandbox.read(id);
    expect(before).toMatchObject({ ...after, nextMilestone: '' });
    expect(after['nextMilestone']).toBe('Review');
    expect(modifiedDate).not.toBe(before['modifiedDate']);
  },
  'two kinds of criteria with AND; an empty text selects unset ids': async (sandbox, nowMs) => {
    const reference = fresh();
    const id = await sandbox.create(reference);
    const made = await sandbox.admin('POST', 'records', { type: 'leadOpportunity', fields: {} });
    const day = (days: number) => new Date(nowMs + days * 86_400_000).toISOString();
    const ids = { partnerLeadOpportunityId: [reference] };
    expect(await sandbox.search({ modifiedDate: { fromDate: day(-1), toDate: day(1) } }, ids)).toEqual([id]);
    expect(await sandbox.search({ modifiedDate: { fromDate: day(-2), toDate: day(-1) } }, ids)).toEqual([]);
    expect(await sandbox.search({ partnerLeadOpportunityId: '' })).toEqual([field(made.body, 'id')]);
    await refuses(sandbox, 'v0/leads-opportunities/search', { data: [] }, 400, 'SANDBOX_INVALID');
  },
  'skip from 0, top from 1, 9999 by default': async (sandbox) => {
    const page = async (query: string) => (await sandbox.api('GET', `v0/portfolio-items/search${query}`)).body;
    const all = field(await page(''), 'data') as readonly unknown[];
    expect(field(await page('?skip=0&top=9999'), 'data')).toEqual(all);
    expect(field(await page('?skip=1&top=2'), 'data')).toEqual(all.slice(1, 3));
    for (const skip of ['-1', 'x']) {
      expect(field(await page(`?skip=${skip}`), 'error', 'code')).toBe('SANDBOX_INVALID');
    }
  },
  'ERR801 with 400 for a reference that exists': async (sandbox) => {
    const reference = fresh();
    await sandbox.create(reference);
    await refuses(sandbox, CREATE, createBody(reference), 400, 'ERR801');
    await refuses(sandbox, 'v0/leads-opportunities', createBody(reference), 400, 'ERR801');
  },
  'ERR805 with 406 for a bad date': async (sandbox) => {
    for (const name of ['closeDate', 'nextMilestoneDate']) {
      for (const value of ['31/12/2026', '2026-02-30T00:00:00.000Z', '2027-03-31', 1_700_000_000, '']) {
        await refuses(sandbox, CREATE, createBody(fresh(), { core: { [name]: value } }), 406, 'ERR805');
      }
    }
    const id = await sandbox.create(fresh());
    const change = { leadOpportunity: { partnerLeadOpportunityId: fresh(), closeDate: 'soon' } };
    const answer = await sandbox.api('PATCH', `${CREATE}/${id}`, change);
    expect(field(answer.body, 'data')).toEqual({
      partnerLeadOpportunityId: null,
      dsLeadOpportunityId: null,
      action: null,
    });
  },
  'ERROR_043 with 400 for a period without one of its bounds': async (sandbox) => {
    const date = '2026-01-01T00:00:00.000Z';
    for (const modifiedDate of [{ fromDate: date }, { toDate: date }, {}, { fromDate: 'x', toDate: date }]) {
      await refuses(sandbox, 'v0/leads-opportunities/search', { data: [{ modifiedDate }] }, 400, 'ERROR_043');
    }
  },
  'ERROR_004 with 400 for a top that is no positive integer': async (sandbox) => {
    for (const top of ['0', '-1', 'x', '1.5', '']) {
      const { status, body } = await sandbox.api('GET', `v0/portfolio-items/search?top=${top}`);
      expect([status, field(body, 'error', 'code'), Object.keys(body as object)]).toEqual([
        400,
        'ERROR_004',
        ['info', 'error'],
      ]);
    }
  },
  'ERROR_048 with 500 for an id out of scope': async (sandbox) => {
    const foreign = {
      type: 'leadOpportunity',
      fields: { partnerId: 'P999999', partnerLeadOpportunityId: 'f' },
    };
    const id = field((await sandbox.admin('POST', 'records', foreign)).body, 'id');
    for (const path of [`${CREATE}/none`, `v0/leads-opportunities/none`, `${CREATE}/${id}`]) {
      const { status, body } = await sandbox.api('GET', path);
      expect([status, field(body, 'error', 'code'), field(body, 'data')]).toEqual([500, 'ERROR_048', null]);
    }
  },
  'ERR899 with 503 when unavailable': async (sandbox) => {
    await sandbox.admin('POST', 'faults', { status: 503, times: 1 });
    await refuses(sandbox, CREATE, createBody(fresh()), 503, 'ERR899');
  },
  'three rate-limit headers, none on 401 and 403': async (sandbox) => {
    const names = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];
    const shown = async (path: string, apiKey?: string | null) => {
      const { headers } = await sandbox.api('GET', path, undefined, apiKey === undefined ? {} : { apiKey });
      return names.map((name) => /^\d+$/.test(headers.get(name) ?? ''));
    };
    const [all, none] = [
      [true, true, true],
      [false, false, false],
    ];
    expect(await shown('v0/portfolio-items/search')).toEqual(all);
    expect(await shown('v0/portfolio-items/search?top=0')).toEqual(all);
    expect(await shown(`${CREATE}/none`)).toEqual(all);
    expect(await shown(`${CREATE}/none`, null)).toEqual(none);
    expect(await shown(`${CREATE}/none`, 'wrong')).toEqual(none);
  },
};
