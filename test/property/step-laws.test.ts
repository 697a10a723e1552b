import { expect, test } from 'vitest';
import {
  begin,
  type Cause,
  type Failure,
  MAX_COMMANDS,
  type Next,
  type Step,
  type Summary,
  type SyncEvent,
  step,
} from '../../src/domain/loop/step.ts';
import fc from '../support/properties.ts';

/** Laws of the loop, whatever activities answer and whenever wakes come. */

const cause = fc.constantFrom<Cause>('crm', 'vendor', 'any');
const next: fc.Arbitrary<Next> = fc.oneof(
  fc
    .constantFrom(
      'nothing' as const,
      'parked' as const,
      'detached' as const,
      'plan-again' as const,
      'superseded' as const,
    )
    .map((one) => ({ next: one })),
  fc.constantFrom(null, 'p1').map((planId) => ({ next: 'read-vendor' as const, planId })),
  fc.boolean().map((reportedMissing) => ({ next: 'search-vendor' as const, reportedMissing })),
  fc.integer({ min: 1, max: 3_500 }).map((ms) => ({ next: 'too-soon' as const, ms })),
  fc
    .constantFrom(
      'create-at-vendor' as const,
      'update-at-vendor' as const,
      'write-crm' as const,
      'create-in-crm' as const,
    )
    .map((one) => ({ next: one, planId: 'p1' })),
);
const summary: fc.Arbitrary<Summary> = fc
  .tuple(next, fc.boolean(), fc.constantFrom({}, { isRecentlyWritten: true }, { isRecentlyWritten: false }))
  .map(([one, reportDue, result]) => ({ ...one, reportDue, ...result }));
const failure: fc.Arbitrary<Failure> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('throttled' as const, 'transient' as const, 'stale' as const),
      retryAfterMs: fc.option(fc.nat(100_000), { nil: null }),
      reason: fc.option(fc.constant('500'), { nil: null }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('systemic' as const),
      group: fc.constantFrom('vendor-sales' as const, 'salesforce' as const),
    }),
  },
);
const answer: fc.Arbitrary<SyncEvent> = fc.oneof(
  { weight: 6, arbitrary: summary.map((item) => ({ type: 'summarised' as const, summary: item })) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(failure, fc.double({ min: 0, max: 0.99, noNaN: true }))
      .map(([item, random]) => ({ type: 'failed' as const, failure: item, random })),
  },
);
const turn = fc.record({ wakes: fc.array(cause, { maxLength: 2 }), answer });

/** What the workflow hands back for a command: only work can fail or tell something. */
function eventFor({ command }: Step, given: SyncEvent): SyncEvent {
  if (command?.type === 'wait' || command?.type === 'outage') return { type: 'waited' };
  return command?.type === 'report' && given.type === 'summarised' ? { type: 'reported' } : given;
}

test('each event but a wake-up has exactly one command, and commands without a wait are bounded', () => {
  fc.assert(
    fc.property(fc.array(cause), fc.array(turn, { maxLength: 60 }), (first, turns) => {
      let at: Step = begin(first);
      let busy = 1;
      for (const { wakes, answer: given } of turns) {
        const before = at;
        for (const one of wakes) {
          const result = step(at.state, { type: 'woken', cause: one });
          expect(result.command).toBeNull();
          at = { ...result, command: before.command };
        }
        at = step(at.state, eventFor(before, given));
        expect(at.command).not.toBeNull();
        const waits = at.command?.type === 'wait' || at.state.phase === 'done';
        busy = waits ? 0 : busy + 1;
        expect(busy).toBeLessThanOrEqual(MAX_COMMANDS);
      }
    }),
    { numRuns: 500 },
  );
});

test('a wake-up is never lost: it is kept until a round begins that looks at its side', () => {
  fc.assert(
    fc.property(fc.array(turn, { maxLength: 40 }), cause, (turns, late) => {
      let at: Step = begin(['any']);
      for (const { answer: given } of turns) {
        if (at.state.phase === 'done') return;
        at = step(at.state, eventFor(at, given));
      }
      if (at.state.phase === 'done') return;
      const woken = step(at.state, { type: 'woken', cause: late });
      expect(woken.state.causes).toContain(late);
      let next: Step = { state: woken.state, command: at.command };
      for (let count = 0; count < 10 && next.state.causes.length > 0; count += 1) {
        const quiet: SyncEvent = {
          type: 'summarised',
          summary: { next: 'nothing', reportDue: false },
        };
        next = step(next.state, eventFor(next, quiet));
        if (next.state.phase === 'done') break;
      }
      const over = next.state.phase === 'done' && at.command?.type === 'outage';
      if (over) return;
      expect(next.state.causes).toEqual([]);
      expect(late === 'crm' || next.state.vendorDue).toBe(true);
      expect(late === 'vendor' || next.state.crmDue).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test('whatever happened before, quiet answers bring it to completion', () => {
  fc.assert(
    fc.property(fc.array(turn, { maxLength: 40 }), (turns) => {
      let at: Step = begin(['any']);
      for (const { wakes, answer: given } of turns) {
        for (const one of wakes) at = { ...step(at.state, { type: 'woken', cause: one }), command: at.command };
        at = step(at.state, eventFor(at, given));
      }
      const quiet: SyncEvent = {
        type: 'summarised',
        summary: { next: 'nothing', reportDue: false },
      };
      for (let count = 0; count < 12; count += 1) at = step(at.state, eventFor(at, quiet));
      expect(at.command).toEqual({ type: 'complete' });
    }),
    { numRuns: 500 },
  );
});
