import { describe, expect, it } from 'vitest';
import type { AdminRecord, LoggedRequest } from '../../../playground/demo/http.ts';
import { countOutcome, type Evidence } from '../../../playground/demo/outcome.ts';
import { NotSeen, waitFor } from '../../../playground/demo/wait.ts';

function logged(operation: string, status: number | null, more: Partial<LoggedRequest> = {}): LoggedRequest {
  return { operation, status, method: 'POST', path: '/', fault: null, body: null, ...more };
}

function create(reference: string, status: number | null, fault: string | null = null): LoggedRequest {
  const body = { leadOpportunity: { partnerLeadOpportunityId: reference } };
  return logged('createLeadOpportunity', status, { body, fault });
}

function composite(...parts: readonly [method: string, url: string, body: object][]): LoggedRequest {
  const compositeRequest = parts.map(([method, url, body]) => ({
    method,
    url: `/services/data/v67.0${url}`,
    body,
  }));
  return logged('composite', 200, { body: { compositeRequest } });
}

function lead(id: string, reference: string | null, fields: object = {}): AdminRecord {
  const common = { partnerLeadOpportunityId: reference, name: 'Deal', closeDate: '2027-01-05T00:00:00.000Z' };
  return { id, type: 'leadOpportunity', fields: { ...common, ...fields } };
}

function opportunity(id: string, vendorId: string, fields: object = {}): AdminRecord {
  const common = { Name: 'Deal', CloseDate: '2027-01-05', Vendor_Share__c: true, Vendor_Id__c: vendorId };
  return { id, type: 'Opportunity', fields: { ...common, ...fields } };
}

function evidence(change: Partial<Evidence> = {}): Evidence {
  return {
    vendorLog: { requests: [], counts: {} },
    salesforceLog: { requests: [], counts: {} },
    ownRequests: 0,
    leads: [lead('L1', 'A')],
    opportunities: [opportunity('A', 'L1')],
    violations: 0,
    ...change,
  };
}

describe('what a run has done', () => {
  it('is counted from what the simulators saw', () => {
    const requests = [
      create('A', 201),
      create('B', null, 'cut:after'),
      create('B', 400),
      create('C', 400),
      create('D', 503),
      logged('updateLeadOpportunity', 200),
      logged('updateLeadOpportunity', 503),
    ];
    const salesforce = [
      composite(['POST', '/sobjects/Opportunity', { Name: 'x' }], ['POST', '/sobjects/OpportunityLineItem', {}]),
      composite(['PATCH', '/sobjects/Opportunity/A', { Vendor_Next_Milestone__c: 'x' }]),
      composite(['PATCH', '/sobjects/Opportunity/B', { Vendor_Id__c: 'L2' }]),
      logged('sobject.update', 204),
    ];
    const outcome = countOutcome(
      evidence({
        vendorLog: { requests, counts: { createLeadOpportunity: 5, updateLeadOpportunity: 2 } },
        salesforceLog: { requests: salesforce, counts: { composite: 3, 'sobject.update': 1 } },
        ownRequests: 1,
        violations: 2,
        leads: [lead('L1', 'A'), lead('L2', 'B'), lead('L3', 'C'), lead('L4', 'C')],
      }),
      true,
      1234.5,
    );
    expect(outcome).toMatchObject({
      created: 3,
      pushed: 1,
      pulled: 1,
      adopted: 1,
      violations: 2,
      vendorRequests: { createLeadOpportunity: 5, updateLeadOpportunity: 2 },
      salesforceRequests: 3,
      elapsedMs: 1235,
    });
  });

  it('converged when both sides show the same', () => {
    expect(countOutcome(evidence(), true, 0).converged).toBe(true);
  });

  it.each([
    ['a step was not seen', evidence(), false],
    ['a field differs', evidence({ leads: [lead('L1', 'A', { name: 'Other' })] }), true],
    ['a date differs', evidence({ opportunities: [opportunity('A', 'L1', { CloseDate: '2027-01-06' })] }), true],
    ['the vendor has it twice', evidence({ leads: [lead('L1', 'A'), lead('L2', 'A')] }), true],
    ['the vendor has none', evidence({ leads: [] }), true],
    ['the vendor id is not in the CRM', evidence({ opportunities: [opportunity('A', '')] }), true],
    ['there is nothing', evidence({ leads: [], opportunities: [] }), true],
  ])('did not converge when %s', (_, seen, completed) => {
    expect(countOutcome(seen, completed, 0).converged).toBe(false);
  });
});

describe('waiting', () => {
  it('gives what was seen at last', async () => {
    let looks = 0;
    const look = async () => {
      looks += 1;
      return looks === 2 ? 'there' : null;
    };
    const limits = { limitMs: 5000, signal: new AbortController().signal };
    await expect(waitFor('it', look, limits)).resolves.toBe('there');
  });

  it('ends at its limit, and when the run is stopped, with what was still missing', async () => {
    const never = async () => null;
    const running = new AbortController().signal;
    await expect(waitFor('the deal', never, { limitMs: 1, signal: running })).rejects.toThrow(
      new NotSeen('Not seen within 0.001 s: the deal.'),
    );
    await expect(waitFor('the deal', never, { limitMs: 60_000, signal: AbortSignal.abort() })).rejects.toThrow(
      'Stopped while waiting for this: the deal.',
    );
  });
});
