import { describe, expect, test } from 'vitest';
import { withInDoubtCrmWrite } from '../../../../src/domain/base/in-doubt-writes.ts';
import { isWriteToFollow } from '../../../../src/domain/evolve/after-refusal.ts';
import type { LinkChange } from '../../../../src/domain/evolve/change.ts';
import { evolve } from '../../../../src/domain/evolve/evolve.ts';
import type { Outcome } from '../../../../src/domain/evolve/outcome.ts';
import type { Issue } from '../../../../src/domain/record/issue.ts';
import { ISSUES } from '../../../../src/domain/record/issues.ts';
import type { Link } from '../../../../src/domain/record/link.ts';
import { mappingConfig } from '../../../support/mapping/fixtures.ts';
import {
  agreedBase,
  decideTo,
  linkSample,
  refusedAs,
  usualRecord,
  vendorReading,
} from '../../../support/value-engine/samples.ts';

const AT = '2026-03-01T12:00:00.000Z';
const TOMORROW = '2026-03-02T12:00:00.000Z';
const EARLIER = '2026-03-01T11:30:00.000Z';
const usual = usualRecord();
const base = agreedBase(usual);
const issue: Issue = ISSUES.lineNotShared();
const DUE = 4;

const link = linkSample({
  vendorInDoubt: 'update',
  adoptingSince: EARLIER,
  generation: 7,
  observedGeneration: 3,
});

const create = { ...decideTo('create-at-vendor', { link: { vendorId: null, base: null } }), issues: [issue] };
const update = {
  ...decideTo('update-at-vendor', { opportunity: { Name: 'Ours' }, vendor: vendorReading(usual) }),
  issues: [issue],
};
const both = decideTo('update-at-vendor', {
  opportunity: { Name: 'Ours' },
  vendor: vendorReading({ ...usual, description: 'theirs' }),
});
const write = {
  ...decideTo('write-crm', { vendor: vendorReading({ ...usual, name: 'Theirs' }) }),
  issues: [issue],
};
const made = {
  ...decideTo('create-in-crm', {
    link: { crmId: null, base: null },
    crm: 'unlinked',
    vendor: vendorReading(usual, { reference: null }),
  }),
  issues: [issue],
};

function changeBy(outcome: Outcome, of: Partial<Link> = {}): LinkChange {
  return evolve({ ...link, ...of }, outcome, AT);
}

const answered = (
  answer: string,
  traceId: string | null,
  plan: { next: string; reason: string; decisions: unknown },
  fields: string | null,
) => [
  {
    at: AT,
    kind: 'remote-write',
    summary: { next: plan.next, reason: plan.reason, fields, answer, traceId },
    decisions: plan.decisions,
  },
];

describe('an observation', () => {
  test('of the vendor is kept, covers the marks before it, and leaves nothing uncertain', () => {
    const observation = vendorReading({ ...usual, name: 'Theirs' });
    expect(changeBy({ type: 'vendor-read', observation })).toEqual({
      vendorObservation: observation,
      vendorReadGeneration: 7,
      vendorInDoubt: 'no',
      adoptingSince: null,
    });
  });

  test('that is an echo moves the base alone', () => {
    const echoed = { ...base, vendorVersion: AT };
    expect(changeBy({ type: 'vendor-echoed', base: echoed })).toEqual({
      base: echoed,
      observedGeneration: 7,
      journal: [
        {
          at: AT,
          kind: 'decision',
          summary: { trigger: 'vendor', next: 'nothing', reason: 'echo' },
          decisions: [],
        },
      ],
    });
  });
});

describe('a decision without a write', () => {
  const nothing = decideTo('nothing', { vendor: vendorReading(usual) });
  const parked = decideTo('parked', { vendor: 'missing' });

  test('settles state, issues and base, and is no news where nothing has changed', () => {
    expect(changeBy({ type: 'decided', plan: nothing, generation: DUE, trigger: 'crm' })).toEqual({
      state: 'in-sync',
      issues: [],
      observedGeneration: DUE,
      plansNothing: true,
      base: nothing.baseAfter,
    });
  });

  test('leaves the base alone where the record waits, and says why in the journal', () => {
    expect(changeBy({ type: 'decided', plan: parked, generation: DUE, trigger: 'vendor' })).toEqual({
      state: 'vendor-missing',
      issues: [ISSUES.vendorMissing()],
      retryAt: TOMORROW,
      observedGeneration: DUE,
      plansNothing: true,
      journal: [
        {
          at: AT,
          kind: 'decision',
          summary: {
            trigger: 'vendor',
            next: 'parked',
            reason: 'gone at the vendor',
            state: 'vendor-missing',
          },
          decisions: [],
        },
      ],
    });
  });

  test('is in the journal where it decided a field, though the state stays', () => {
    const both = { opportunity: { Name: 'Same' }, vendor: vendorReading({ ...usual, name: 'Same' }) };
    const plan = decideTo('nothing', both);
    const { journal } = changeBy({ type: 'decided', plan, generation: DUE, trigger: 'crm' });
    expect(journal?.[0]?.decisions).toEqual(plan.decisions);
    expect(plan.decisions).toHaveLength(1);
  });
});

describe('a search', () => {
  const line = (summary: object) => [{ at: AT, kind: 'adoption', summary, decisions: [] }];

  test.each<[string, Outcome, LinkChange]>([
    [
      'that adopts ends the adoption',
      { type: 'adopted', vendorId: 'DS-9', uncertain: 'create' },
      {
        adoptingSince: null,
        journal: line({
          matchedOn: 'partnerLeadOpportunityId',
          candidates: 1,
          vendorId: 'DS-9',
          uncertain: 'create',
          afterCreate: true,
        }) as never,
      },
    ],
    ['that shows no create', { type: 'create-not-applied' }, { vendorInDoubt: 'no' }],
    [
      'that cannot tell parks the record, marks and all',
      { type: 'adoption-parked', issue },
      {
        state: 'parked',
        issues: [issue],
        adoptingSince: null,
        vendorReadGeneration: 7,
        observedGeneration: 7,
        journal: line({ matchedOn: 'partnerLeadOpportunityId', outcome: issue.code }) as never,
      },
    ],
    [
      'for an opportunity that finds several parks the record',
      { type: 'match-parked', issue, matchedOn: 'customer, name', candidates: 2 },
      {
        state: 'parked',
        issues: [issue],
        observedGeneration: 7,
        journal: line({ matchedOn: 'customer, name', candidates: 2, outcome: issue.code }) as never,
      },
    ],
  ])('%s', (_, outcome, expected) => {
    expect(changeBy(outcome)).toEqual(expected);
  });
});

describe('a create at the vendor', () => {
  const planned = { plan: create, generation: DUE };
  const fields = create.intent.fields.join(' ');

  test('notes what it would agree on before it is sent, unless something is agreed on already', () => {
    expect(changeBy({ type: 'create-sending', ...planned }, { base: null })).toEqual({
      base: create.baseAfter,
    });
    expect(changeBy({ type: 'create-sending', ...planned })).toEqual({});
  });

  test('that was applied is settled as planned', () => {
    expect(changeBy({ type: 'created', ...planned, traceId: 't', answeredAt: null })).toEqual({
      outcome: 'created',
      state: create.stateAfter,
      base: create.baseAfter,
      issues: [issue],
      vendorInDoubt: 'no',
      adoptingSince: null,
      observedGeneration: DUE,
      journal: answered('created', 't', create, fields),
    });
  });

  test.each([
    [EARLIER, EARLIER],
    [null, AT],
  ])('that is a duplicate is adopted, by the time of the first (%s)', (adoptingSince, since) => {
    expect(changeBy({ type: 'create-duplicate', ...planned, traceId: 't' }, { adoptingSince })).toEqual({
      outcome: 'duplicate ERR801',
      state: 'pending',
      adoptingSince: since,
      vendorInDoubt: 'update',
      base,
      journal: answered('duplicate ERR801', 't', create, fields),
    });
  });
});

describe('an update at the vendor', () => {
  const planned = { plan: update, generation: DUE };

  test('that was applied is settled as planned, and shows in the vendor’s observation', () => {
    expect(isWriteToFollow(update)).toBe(false);
    expect(changeBy({ type: 'updated', ...planned, traceId: null, answeredAt: null })).toEqual({
      outcome: 'updated',
      state: 'in-sync',
      base: update.baseAfter,
      issues: [issue],
      vendorInDoubt: 'no',
      observedGeneration: DUE,
      vendorObservation: { ...vendorReading({ ...usual, name: 'Ours' }), optimistic: ['name'] },
      journal: answered('updated', null, update, 'name'),
    });
  });

  test('without an observation of the vendor shows in none', () => {
    const change = changeBy(
      { type: 'updated', ...planned, traceId: null, answeredAt: null },
      { vendorObservation: null },
    );
    expect(change).not.toHaveProperty('vendorObservation');
  });

  test('that the CRM’s half of a merge follows leaves the marks due', () => {
    expect(isWriteToFollow(both)).toBe(true);
    const change = changeBy({
      type: 'updated',
      plan: both,
      generation: DUE,
      traceId: null,
      answeredAt: null,
    });
    expect(change).not.toHaveProperty('observedGeneration');
  });

  test('that was refused is parked with its fingerprint, and was not applied', () => {
    const refused = {
      type: 'vendor-refused',
      code: 'ERR_NEW',
      fields: [],
      named: [],
      offers: [],
      traceId: 't',
    } as const;
    expect(changeBy({ ...refused, ...planned })).toEqual({
      outcome: 'refused ERR_NEW',
      state: 'parked',
      issues: [issue, { ...ISSUES.vendorRefused('ERR_NEW', []), ...refusedAs(update) }],
      retryAt: TOMORROW,
      vendorInDoubt: 'update',
      base: update.baseBefore,
      observedGeneration: DUE,
      journal: answered('refused ERR_NEW', 't', update, 'name'),
    });
  });

  test.each([
    ['no', { outcome: 'throttled', vendorInDoubt: 'update', base }],
    ['unknown', { outcome: 'throttled' }],
  ] as const)('that failed, applied: %s', (applied, expected) => {
    expect(changeBy({ type: 'vendor-write-failed', ...planned, what: 'throttled', applied })).toEqual(expected);
  });
});

describe('a write to the CRM', () => {
  const planned = { plan: write, generation: DUE };

  test('notes what it would agree on before it is sent, and forgets it where it was not applied', () => {
    const uncertain = withInDoubtCrmWrite(write, mappingConfig());
    expect(changeBy({ type: 'crm-write-sending', base: uncertain, plan: write })).toEqual({
      base: uncertain,
    });
    expect(changeBy({ type: 'crm-write-not-applied' })).toEqual({ base });
  });

  test('that was applied is settled as planned', () => {
    expect(changeBy({ type: 'crm-written', ...planned })).toEqual({
      outcome: 'written',
      state: 'in-sync',
      base: write.baseAfter,
      issues: [issue],
      observedGeneration: DUE,
      journal: answered('written', null, write, null),
    });
  });

  test('that was refused is parked with its fingerprint, and was not applied', () => {
    expect(changeBy({ type: 'crm-refused', ...planned, code: 'STRING_TOO_LONG', fields: [] })).toEqual({
      outcome: 'refused STRING_TOO_LONG',
      state: 'parked',
      base: write.baseBefore,
      issues: [issue, { ...ISSUES.crmRefused('STRING_TOO_LONG', []), ...refusedAs(write) }],
      retryAt: TOMORROW,
      observedGeneration: DUE,
      journal: answered('refused STRING_TOO_LONG', null, write, null),
    });
  });
});

describe('an import into the CRM', () => {
  const planned = { plan: made, generation: DUE };

  test('is settled by what the CRM then shows', () => {
    expect(changeBy({ type: 'imported', ...planned, base, isFollowed: false })).toEqual({
      outcome: 'created',
      state: made.stateAfter,
      base,
      issues: [issue],
      observedGeneration: DUE,
      journal: answered('created', null, made, null),
    });
    expect(changeBy({ type: 'imported', ...planned, base, isFollowed: true })).not.toHaveProperty('observedGeneration');
  });

  test('that an earlier try had made settles its plan, and stays in doubt', () => {
    expect(changeBy({ type: 'import-found', ...planned, base })).toEqual({
      outcome: 'found',
      base,
      journal: answered('found in the CRM', null, made, null),
    });
  });

  test('whose lead shows what was sent makes earlier plans invalid', () => {
    expect(changeBy({ type: 'lead-imported', base })).toEqual({ base, plansNothing: true });
  });

  test('that was refused may have left a part: the base stays uncertain', () => {
    const change = changeBy({ type: 'crm-refused', ...planned, code: 'DUPLICATE_VALUE', fields: [] });
    expect(change).not.toHaveProperty('base');
    const refused = { ...ISSUES.importRefused(made.create.vendorId, 'DUPLICATE_VALUE', []), ...refusedAs(made) };
    expect(change).toMatchObject({ state: 'parked', issues: [issue, refused] });
  });

  test('that another link of the deal has is settled there', () => {
    expect(changeBy({ type: 'import-superseded', ...planned, sameDeal: true })).toEqual({
      outcome: 'created',
      journal: answered('created', null, made, null),
    });
    expect(changeBy({ type: 'import-taken-over', base: null })).toEqual({ base: null });
  });

  test('whose opportunity is another deal is parked', () => {
    expect(changeBy({ type: 'import-superseded', ...planned, sameDeal: false })).toEqual({
      outcome: 'taken by another deal',
      state: 'parked',
      issues: [ISSUES.vendorIdOfAnotherDeal()],
      retryAt: TOMORROW,
      observedGeneration: DUE,
      journal: answered('created', null, made, null),
    });
  });
});
