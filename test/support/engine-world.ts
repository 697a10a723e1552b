import { baseAfterEcho } from '../../src/domain/base/after-echo.ts';
import { AGAIN_VERDICTS } from '../../src/domain/base/base.ts';
import { overlaid } from '../../src/domain/base/recognise-echo.ts';
import { withUncertainCrmWrite, withUncertainVendorWrite } from '../../src/domain/base/uncertain-writes.ts';
import { decide } from '../../src/domain/decide/decide.ts';
import type { DecideInput } from '../../src/domain/decide/input.ts';
import type { FieldDecision, Plan, VendorObservation } from '../../src/domain/decide/plan.ts';
import { dueReport, vendorStatusOf } from '../../src/domain/decide/report.ts';
import { begin, type Cause, type Command, type Summary, step } from '../../src/domain/loop/step.ts';
import { afterCrmWrite, observeCrm, observeVendor } from '../../src/domain/mapping/index.ts';
import type { CrmFields, CrmGraph, CrmWrite } from '../../src/domain/record/crm-graph.ts';
import { createEngineVendor, type VendorHabits } from './engine-vendor.ts';
import { crmGraph, mappingConfig } from './mapping-fixtures.ts';

/**
 * What befalls one request; reads at the vendor may be late, writes may be lost after or before they are applied, and
 * the worker may die at once after a write, so that the activation ends there.
 */
export type Fault = 'ok' | 'late' | 'answer-lost' | 'unavailable' | 'killed';

export type WorldOptions = {
  readonly vendor?: VendorHabits;
  readonly config?: DecideInput['config'];
  readonly opportunity?: CrmFields;
  readonly graph?: Partial<CrmGraph>;
  /** The CRM's answer to a write: what it stores in the place of what it was given. */
  readonly crmStores?: (written: CrmFields, before: CrmFields) => CrmFields;
  readonly unknownOffers?: ReadonlySet<string>;
};

type Link = DecideInput['link'] & { vendorObservation: VendorObservation | null; reported: string | null };

const SUMMARY: Summary = {
  planId: null,
  next: 'nothing',
  again: false,
  reportedMissing: false,
  reportDue: false,
};

/**
 * Both sides as values and the engine between them, without any I/O: `step` commands, `decide` decides, and what the
 * activities would keep in the ledger is kept in a link. Time is a number that goes on with every request.
 */
export function createEngineWorld(options: WorldOptions = {}) {
  const config = options.config ?? mappingConfig();
  let ms = Date.parse('2026-03-01T12:00:00.000Z');
  const now = (): string => new Date(ms).toISOString();
  const vendor = createEngineVendor(options.vendor ?? {}, now);
  let graph = crmGraph(options.opportunity ?? {}, options.graph ?? {});
  let lineCount = 100;
  let link: Link = NEW_LINK;
  const plans = new Map<string, { readonly plan: Plan; readonly graph: CrmGraph | null }>();
  const decisions: FieldDecision[] = [];
  const writes: string[] = [];
  let faults: Fault[] = [];

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

  function decideNow(
    crm: CrmGraph,
    seen: VendorObservation | 'unread',
  ): { readonly plan: Plan; readonly crm: CrmGraph } {
    const input = {
      link: { ...link, reference: link.vendorObservation?.reference ?? null },
      crm: observeCrm(crm, config),
      vendor: seen,
      config,
      importFromVendor: true,
      unknownOffers: options.unknownOffers ?? new Set<string>(),
    };
    return { plan: decide(input), crm };
  }

  function recordDecision({ plan, crm }: { readonly plan: Plan; readonly crm: CrmGraph }): Summary {
    if (plan.next === 'search-vendor') return summary({ next: plan.next });
    if (plan.next === 'nothing' || plan.next === 'parked' || plan.next === 'detached') {
      decisions.push(...plan.decisions);
      const linked = link.vendorId !== null && plan.next === 'nothing';
      link = {
        ...link,
        ...(linked ? { base: plan.baseAfter } : {}),
        state: plan.stateAfter,
        issues: plan.issues,
      };
      return summary({ next: plan.next });
    }
    const planId = `plan-${plans.size}`;
    plans.set(planId, { plan, graph: crm });
    return summary({ next: plan.next, planId });
  }

  function due(): ReturnType<typeof dueReport> {
    const vendorStatus = link.vendorId === null ? null : vendorStatusOf(link.base, link.vendorObservation);
    return dueReport({ ...link, vendorStatus });
  }

  function summary(change: Partial<Summary>): Summary {
    return { ...SUMMARY, reportDue: due() !== null, ...change };
  }

  function readVendor(planId: string | null, crmDue: boolean): Summary {
    if (link.vendorId === null) return summary({ next: 'plan-again' });
    const late = faults.shift() === 'late' ? 1 : 0;
    const seen = { ...observeVendor(vendor.read(late), config, now()), vendorId: link.vendorId };
    link = { ...link, vendorObservation: seen, vendorUncertain: 'no', adoptingSince: null };
    const stored = planId === null ? null : (plans.get(planId)?.graph ?? null);
    if (stored !== null) return recordDecision(decideNow(stored, seen));
    const quiet = crmDue || link.base === null ? null : baseAfterEcho(link.base, seen, config);
    if (quiet === null) return summary({ next: 'plan-again' });
    link = { ...link, base: quiet };
    return summary({});
  }

  function searchVendor(): Summary {
    if (!vendor.exists()) {
      link = { ...link, vendorUncertain: 'no' };
      return summary({ next: 'plan-again' });
    }
    link = { ...link, vendorId: 'DS-1', adoptingSince: null };
    return summary({ next: 'read-vendor' });
  }

  function writeVendor(kind: 'create' | 'update', planId: string): Summary {
    const plan = planOf(planId);
    const intent = plan.toVendor;
    if (intent === null) throw new Error('a write without an intent');
    if (kind === 'create' && vendor.exists()) throw new Error('ERR801: created twice');
    const base = kind === 'create' ? plan.baseAfter : withUncertainVendorWrite(plan);
    link = { ...link, base, vendorUncertain: kind };
    const fault = faults.shift();
    if (fault === 'unavailable') throw new Lost();
    writes.push(`${kind} ${intent.fields.join(' ')}`);
    decisions.push(...plan.decisions);
    vendor[kind](structuredClone(intent.body));
    if (fault === 'answer-lost') throw new Lost();
    if (fault === 'killed') throw new Killed();
    const seen = link.vendorObservation;
    link = {
      ...link,
      vendorId: 'DS-1',
      base: plan.baseAfter,
      vendorUncertain: 'no',
      state: plan.stateAfter,
      issues: plan.issues,
      vendorObservation: seen === null ? null : overlaid(seen, intent),
    };
    return summary({
      again: kind === 'update' && plan.decisions.some((row) => AGAIN_VERDICTS.has(row.verdict)),
    });
  }

  function writeCrm(planId: string): Summary {
    const plan = planOf(planId);
    if (plan.toCrm === null) throw new Error('a CRM write without content');
    const fault = faults.shift();
    if (fault === 'unavailable') throw new Lost();
    link = { ...link, base: withUncertainCrmWrite(plan, config) };
    if (plan.toCrm.ifUnmodifiedSince !== graph.opportunity['SystemModstamp']) throw new Stale();
    decisions.push(...plan.decisions);
    writes.push(`crm ${crmParts(plan.toCrm)}`);
    const after = afterCrmWrite(graph, plan.toCrm);
    const opportunity = options.crmStores?.(after.opportunity, graph.opportunity) ?? after.opportunity;
    storeCrm({ ...after, opportunity });
    if (fault === 'answer-lost') throw new Lost();
    if (fault === 'killed') throw new Killed();
    link = { ...link, base: plan.baseAfter, state: plan.stateAfter, issues: plan.issues };
    return summary({});
  }

  function planOf(planId: string): Plan {
    const stored = plans.get(planId);
    if (stored === undefined) throw new Error(`no plan ${planId}`);
    return stored.plan;
  }

  function report(): void {
    const told = due();
    if (told === null) return;
    if (Object.keys(told.report.opportunity).length > 0)
      storeCrm({ ...graph, opportunity: { ...graph.opportunity, ...told.report.opportunity } });
    link = { ...link, reported: told.mark };
  }

  function summarise(command: Command): Summary {
    switch (command.type) {
      case 'plan':
        return recordDecision(
          decideNow(graph, command.vendor === 'seen' ? (link.vendorObservation ?? 'unread') : 'unread'),
        );
      case 'read-vendor':
        return readVendor(command.planId, command.crmDue);
      case 'search-vendor':
        return searchVendor();
      case 'create-at-vendor':
        return writeVendor('create', command.planId);
      case 'update-at-vendor':
        return writeVendor('update', command.planId);
      case 'write-crm':
        return writeCrm(command.planId);
      default:
        throw new Error(`no such work here: ${command.type}`);
    }
  }

  function carryOut(command: Command): Parameters<typeof step>[1] {
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
      return { type: 'failed', failure: { kind, retryAfterMs: null }, random: 0.5 };
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
    editCrm: (change: CrmFields): void =>
      storeCrm({ ...graph, opportunity: { ...graph.opportunity, ...change } }),
    editCrmLines: (edit: (rows: readonly CrmFields[]) => readonly CrmFields[]): void =>
      storeCrm({ ...graph, lines: edit(graph.lines) }),
    editCrmContacts: (edit: (rows: readonly CrmFields[]) => readonly CrmFields[]): void =>
      storeCrm({ ...graph, contacts: edit(graph.contacts) }),
    editVendor(change: Record<string, unknown>): void {
      tick();
      vendor.edit(change);
    },
    /** One activation, from a wake to the end; `meanwhile` runs before each command with its number. */
    activate(
      cause: Cause,
      befalls: readonly Fault[] = [],
      meanwhile: (n: number) => void = () => {},
    ): string[] {
      faults = [...befalls];
      const commands: string[] = [];
      let at = begin([cause]);
      while (at.command !== null && at.command.type !== 'complete') {
        if (commands.length > 80) throw new Error(`no end: ${commands.slice(-12).join(', ')}`);
        commands.push(at.command.type);
        meanwhile(commands.length);
        try {
          at = step(at.state, carryOut(at.command));
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

const NEW_LINK: Link = {
  crmId: REFERENCE,
  vendorId: null,
  base: null,
  state: 'new',
  vendorUncertain: 'no',
  adoptingSince: null,
  issues: [],
  refusedFingerprint: null,
  crmRefusedFingerprint: null,
  reference: null,
  vendorObservation: null,
  reported: null,
};

class Lost extends Error {}
class Killed extends Error {}
class Stale extends Error {}

function crmParts(write: CrmWrite): string {
  const { create, update, delete: deleted } = write.lines;
  return [
    ...Object.keys(write.opportunity),
    `+${create.length}`,
    `~${update.length}`,
    `-${deleted.length}`,
  ].join(' ');
}
