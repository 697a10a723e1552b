import { baseAfterEcho } from '../../../src/domain/base/after-echo.ts';
import { withInDoubtCrmWrite } from '../../../src/domain/base/in-doubt-writes.ts';
import { decide } from '../../../src/domain/decide/decide.ts';
import type { DecideInput, VendorSide } from '../../../src/domain/decide/input.ts';
import { dueReport, vendorStatusOf } from '../../../src/domain/decide/report.ts';
import { isWriteToFollow } from '../../../src/domain/evolve/after-refusal.ts';
import { evolve } from '../../../src/domain/evolve/evolve.ts';
import type { Outcome } from '../../../src/domain/evolve/outcome.ts';
import { begin, type Cause, type Command, type Next, type Summary, step } from '../../../src/domain/loop/step.ts';
import { afterCrmWrite, observeCrm, observeVendor } from '../../../src/domain/mapping/index.ts';
import { withFilledIn } from '../../../src/domain/merge/filled-in.ts';
import type { CrmFields, CrmGraph, CrmWrite } from '../../../src/domain/record/crm-graph.ts';
import type { CrmLimits } from '../../../src/domain/record/crm-limits.ts';
import type { FieldDecision } from '../../../src/domain/record/field-decision.ts';
import type { Link } from '../../../src/domain/record/link.ts';
import type { Plan } from '../../../src/domain/record/plan.ts';
import { unseenLink } from '../../../src/observe/unseen-link.ts';
import { crmGraph, mappingConfig } from '../mapping/fixtures.ts';
import { createEngineVendor, type VendorHabits } from './vendor.ts';

/**
 * The fate of one request: a vendor read may return an old version, a write may be lost before or after it is applied, the worker may die
 * right after a write, which ends the activation, and a vendor update may be delayed: it gets no answer and arrives later.
 */
export type Fault = 'ok' | 'late' | 'answer-lost' | 'unavailable' | 'killed' | 'delayed';

/** A delayed update that has not arrived after this time never arrives. */
const LATEST_ARRIVAL_MS = 290_000;

export type WorldOptions = {
  readonly vendor?: VendorHabits;
  readonly config?: DecideInput['config'];
  readonly opportunity?: CrmFields;
  readonly graph?: Partial<CrmGraph>;
  /** The CRM's answer to a write: the stored values in place of the written ones. */
  readonly crmStores?: (written: CrmFields, before: CrmFields) => CrmFields;
  readonly unknownOffers?: ReadonlySet<string>;
  readonly crmLimits?: CrmLimits;
};

/**
 * Both sides as values and the engine between them, without I/O: `step` commands, `decide` decides, and `evolve` computes the link, which
 * replaces the ledger's. Time is a number that grows with every request.
 */
export function createEngineWorld(options: WorldOptions = {}) {
  const config = options.config ?? mappingConfig();
  let ms = Date.parse('2026-03-01T12:00:00.000Z');
  const now = (): string => new Date(ms).toISOString();
  const vendor = createEngineVendor(options.vendor ?? {}, now);
  let graph = crmGraph(options.opportunity ?? {}, options.graph ?? {});
  let lineCount = 100;
  let link: Link = NEW_LINK;
  const plans = new Map<string, { readonly plan: Plan; readonly graph: CrmGraph }>();
  const decisions: FieldDecision[] = [];
  const writes: string[] = [];
  let faults: Fault[] = [];
  const delayed: { readonly leftMs: number; readonly body: Readonly<Record<string, unknown>> }[] = [];

  const tick = (): void => {
    ms += 1_000;
  };

  function storeCrm(next: CrmGraph): void {
    tick();
    const stamped = { ...next.opportunity, SystemModstamp: now(), LastModifiedDate: now() };
    graph = { ...next, opportunity: stamped, lines: next.lines.map(withId) };
  }

  function withId(row: CrmFields): CrmFields {
    if (row['Id'] !== undefined) return row;
    lineCount += 1;
    return { ...row, Id: `00k000000000${lineCount}AAA` };
  }

  /** As in the ledger, fields that a change does not name keep their values. */
  function settle(outcome: Outcome): void {
    const {
      outcome: _,
      journal: __,
      reported,
      vendorReadGeneration: ___,
      plansNothing: ____,
      ...change
    } = evolve(link, outcome, now());
    link = { ...link, ...change, reported: reported ?? link.reported };
  }

  function decideNow(crm: CrmGraph, vendorSide: VendorSide): Summary {
    const plan = decide({
      link: { ...link, reference: link.vendorObservation?.reference ?? null },
      crm: { kind: 'observed', observation: observeCrm(crm, config) },
      vendor: vendorSide,
      config,
      importFromVendor: true,
      sendsRefusedAgain: false,
      isManual: false,
      crmHistory: null,
      unknownOffers: options.unknownOffers ?? new Set<string>(),
      crmLimits: options.crmLimits ?? {},
      ambiguity: null,
    });
    switch (plan.next) {
      case 'search-vendor':
        return summary({ next: plan.next, reportedMissing: false });
      case 'nothing':
      case 'parked':
      case 'detached':
        decisions.push(...plan.decisions);
        settle({ type: 'decided', plan, generation: 0, trigger: 'test' });
        return summary({ next: plan.next });
      default: {
        const planId = `plan-${plans.size}`;
        plans.set(planId, { plan, graph: crm });
        return summary({ next: plan.next, planId });
      }
    }
  }

  function due(): ReturnType<typeof dueReport> {
    const vendorStatus = link.vendorId === null ? null : vendorStatusOf(link.base, link.vendorObservation);
    return dueReport({ ...link, vendorStatus });
  }

  function summary(next: Next): Summary {
    return { ...next, reportDue: due() !== null };
  }

  function readVendor(planId: string | null, crmDue: boolean): Summary {
    if (link.vendorId === null) return summary({ next: 'plan-again' });
    const late = faults.shift() === 'late' ? 1 : 0;
    const reading = { ...observeVendor(vendor.read(late), config, now()), vendorId: link.vendorId };
    const observation = withFilledIn(reading, link);
    settle({ type: 'vendor-read', observation });
    const stored = planId === null ? undefined : plans.get(planId);
    if (stored !== undefined) return decideNow(stored.graph, { kind: 'observed', observation });
    const base = crmDue || link.base === null ? null : baseAfterEcho(link.base, observation, config);
    if (base === null) return summary({ next: 'plan-again' });
    settle({ type: 'vendor-echoed', base });
    return summary({ next: 'nothing' });
  }

  function searchVendor(): Summary {
    if (!vendor.exists()) {
      settle({ type: 'create-not-applied' });
      return summary({ next: 'plan-again' });
    }
    link = { ...link, vendorId: 'DS-1' };
    settle({ type: 'adopted', vendorId: 'DS-1', uncertain: link.vendorInDoubt });
    return summary({ next: 'read-vendor', planId: null });
  }

  function createAtVendor(planId: string): Summary {
    const plan = planOf(planId, 'create-at-vendor');
    if (vendor.exists()) throw new Error('ERR801: created twice');
    settle({ type: 'create-sending', plan, generation: 0 });
    link = { ...link, vendorInDoubt: 'create' };
    send('create', plan, () => vendor.create(structuredClone(plan.intent.body)));
    link = { ...link, vendorId: 'DS-1' };
    settle({ type: 'created', plan, generation: 0, traceId: null, answeredAt: now() });
    return summary({ next: 'nothing' });
  }

  function updateAtVendor(planId: string): Summary {
    const plan = planOf(planId, 'update-at-vendor');
    settle({ type: 'update-sending', plan, generation: 0 });
    link = { ...link, vendorInDoubt: 'update' };
    send('update', plan, () => vendor.update(structuredClone(plan.intent.body)));
    settle({ type: 'updated', plan, generation: 0, traceId: null, answeredAt: now() });
    return summary({ next: isWriteToFollow(plan) ? 'plan-again' : 'nothing' });
  }

  function send(kind: string, plan: Planned<'create-at-vendor' | 'update-at-vendor'>, apply: () => void): void {
    const fault = faults.shift();
    if (fault === 'unavailable') throw new Lost();
    writes.push(`${kind} ${plan.intent.fields.join(' ')}`);
    decisions.push(...plan.decisions);
    if (fault === 'delayed' && kind === 'update') {
      delayed.push({ leftMs: ms, body: structuredClone(plan.intent.body) });
      throw new Lost();
    }
    apply();
    if (fault === 'answer-lost') throw new Lost();
    if (fault === 'killed') throw new Killed();
  }

  function writeCrm(planId: string): Summary {
    const plan = planOf(planId, 'write-crm');
    const fault = faults.shift();
    if (fault === 'unavailable') throw new Lost();
    settle({ type: 'crm-write-sending', base: withInDoubtCrmWrite(plan, config, graph), plan });
    if (plan.write.ifUnmodifiedSince !== graph.opportunity['SystemModstamp']) throw new Stale();
    decisions.push(...plan.decisions);
    writes.push(`crm ${crmParts(plan.write)}`);
    const after = afterCrmWrite(graph, plan.write);
    const opportunity = options.crmStores?.(after.opportunity, graph.opportunity) ?? after.opportunity;
    storeCrm({ ...after, opportunity });
    if (fault === 'answer-lost') throw new Lost();
    if (fault === 'killed') throw new Killed();
    settle({ type: 'crm-written', plan, generation: 0 });
    return summary({ next: 'nothing' });
  }

  function planOf<S extends Plan['next']>(planId: string, next: S): Planned<S> {
    const plan = plans.get(planId)?.plan;
    if (plan?.next !== next) throw new Error(`no plan ${planId} to ${next}`);
    return plan as Planned<S>;
  }

  function report(): void {
    const result = due();
    if (result === null) return;
    if (Object.keys(result.report.opportunity).length > 0)
      storeCrm({ ...graph, opportunity: { ...graph.opportunity, ...result.report.opportunity } });
    settle({ type: 'reported', shows: result.shows, answer: 'reported' });
  }

  function summarise(command: Command): Summary {
    switch (command.type) {
      case 'plan':
        return decideNow(graph, command.vendor === 'read' ? sufficientSnapshot() : { kind: 'unread' });
      case 'read-vendor':
        return readVendor(command.planId, command.crmDue);
      case 'search-vendor':
        return searchVendor();
      case 'create-at-vendor':
        return createAtVendor(command.planId);
      case 'update-at-vendor':
        return updateAtVendor(command.planId);
      case 'write-crm':
        return writeCrm(command.planId);
      default:
        throw new Error(`no such work here: ${command.type}`);
    }
  }

  function sufficientSnapshot(): VendorSide {
    const { vendorObservation: observation } = link;
    return observation === null ? { kind: 'unread' } : { kind: 'observed', observation };
  }

  function executeCommand(command: Command): Parameters<typeof step>[1] {
    tick();
    if (command.type === 'wait') {
      ms += command.ms;
      return { type: 'waited' };
    }
    if (command.type === 'report') {
      report();
      return { type: 'reported' };
    }
    try {
      return { type: 'summarised', summary: summarise(command) };
    } catch (error) {
      if (!(error instanceof Lost || error instanceof Stale)) throw error;
      const kind = error instanceof Lost ? 'transient' : 'stale';
      return {
        type: 'failed',
        failure: { kind, retryAfterMs: null, reason: null },
        random: 0.5,
      };
    }
  }

  return {
    config,
    vendor,
    decisions,
    writes,
    graph: (): CrmGraph => graph,
    link: (): Link => link,
    crmRecord: () => observeCrm(graph, config).record,
    vendorRecord: () => observeVendor(vendor.read(0), config, now()).record,
    editCrm: (change: CrmFields): void => storeCrm({ ...graph, opportunity: { ...graph.opportunity, ...change } }),
    editCrmLines: (edit: (rows: readonly CrmFields[]) => readonly CrmFields[]): void =>
      storeCrm({ ...graph, lines: edit(graph.lines) }),
    editCrmContacts: (edit: (rows: readonly CrmFields[]) => readonly CrmFields[]): void =>
      storeCrm({ ...graph, contacts: edit(graph.contacts) }),
    editVendor(change: Record<string, unknown>): void {
      tick();
      vendor.edit(change);
    },
    /** The vendor executes the oldest delayed update. Returns whether there was one. */
    arrive(): boolean {
      tick();
      const update = delayed.shift();
      if (update !== undefined && ms - update.leftMs < LATEST_ARRIVAL_MS) vendor.update(structuredClone(update.body));
      return update !== undefined;
    },
    /** One activation, from a wake to the end; `meanwhile` runs before each command with its number. */
    activate(cause: Cause, befalls: readonly Fault[] = [], meanwhile: (n: number) => void = () => {}): string[] {
      faults = [...befalls];
      const commands: string[] = [];
      let at = begin([cause]);
      while (at.command !== null && at.command.type !== 'complete') {
        if (commands.length > 80) throw new Error(`no end: ${commands.slice(-12).join(', ')}`);
        commands.push(at.command.type);
        meanwhile(commands.length);
        try {
          at = step(at.state, executeCommand(at.command));
        } catch (error) {
          if (error instanceof Killed) return commands;
          throw error;
        }
      }
      return commands;
    },
  };
}

export type EngineWorld = ReturnType<typeof createEngineWorld>;

const REFERENCE = '006000000000001AAA';

const NEW_LINK = unseenLink('acme', { crmId: REFERENCE, vendorId: null }, '');

type Planned<S extends Plan['next']> = Extract<Plan, { readonly next: S }>;

class Lost extends Error {}
class Killed extends Error {}
class Stale extends Error {}

function crmParts(write: CrmWrite): string {
  const { create, update, delete: deleted } = write.lines;
  return [...Object.keys(write.opportunity), `+${create.length}`, `~${update.length}`, `-${deleted.length}`].join(' ');
}
