import type { MappingConfig, StageRow } from '../record/mapping-config.ts';
import { own } from './own.ts';

export type StatusRow = {
  /** A closed one ends the deal; what may be sent of a forecast goes by it too (sales spec 2.3). */
  readonly phase: 'lead' | 'opportunity' | 'closed';
  /** False: the spec shows the stage, not its code, and the tenant's values name it. */
  readonly documented: boolean;
  /** Stages of Salesforce's standard sales process that stand for it; the CRM moves to the first of them. */
  readonly stages: readonly [string, ...string[]];
};

/**
 * The vendor's statuses by our name, which is the code where the spec shows one (sales spec 2.2, 2.3), in the order of a
 * deal's way.
 */
export const STATUSES = {
  LEAD_OPEN: { phase: 'lead', documented: true, stages: ['Prospecting'] },
  QUALIFIED: { phase: 'lead', documented: true, stages: ['Qualification'] },
  ACCEPTED: { phase: 'lead', documented: true, stages: ['Needs Analysis'] },
  OPPY_OPEN: {
    phase: 'opportunity',
    documented: true,
    stages: ['Value Proposition', 'Id. Decision Makers', 'Perception Analysis'],
  },
  VALIDATED: { phase: 'opportunity', documented: false, stages: ['Proposal/Price Quote'] },
  ESTABLISHED: { phase: 'opportunity', documented: false, stages: ['Negotiation/Review'] },
  WON: { phase: 'closed', documented: true, stages: ['Closed Won'] },
  LOST: { phase: 'closed', documented: false, stages: ['Closed Lost'] },
} as const satisfies Record<string, StatusRow>;

export type StatusName = keyof typeof STATUSES;

export const STATUS_NAMES = Object.keys(STATUSES) as readonly StatusName[];

/** Names whose codes a tenant may give, because the spec does not show them. */
export const STATUSES_WITHOUT_CODE = STATUS_NAMES.filter((name) => !STATUSES[name].documented);

/** The vendor's code of a status name; null where neither the spec nor the tenant file gives one. */
export function statusCode(name: string, config: MappingConfig): string | null {
  if (own(STATUSES, name)?.documented) return name;
  return own(config.values.status, name) || null;
}

/** Our name of a vendor code; null for a code that neither the spec nor the tenant file names. */
export function statusName(code: string, config: MappingConfig): StatusName | null {
  const documented = STATUS_NAMES.find((name) => name === code && STATUSES[name].documented);
  return documented ?? STATUS_NAMES.find((name) => own(config.values.status, name) === code) ?? null;
}

/** Won or Lost: a status that ends the deal. */
export function isClosing(code: string, config: MappingConfig): boolean {
  const name = statusName(code, config);
  return name !== null && STATUSES[name].phase === 'closed';
}

/** The vendor status that a CRM stage stands for; null where the table has no row or the row's status no code. */
export function statusOfStage(stage: string, config: MappingConfig): string | null {
  const row = config.stages.find((candidate) => candidate.stage === stage);
  return row === undefined ? null : statusCode(row.status, config);
}

/** The CRM stage that a vendor status moves a deal to; null where the table names none. */
export function inboundStage(code: string, config: MappingConfig): string | null {
  const matches = (row: StageRow): boolean => row.inbound && statusCode(row.status, config) === code;
  return config.stages.find(matches)?.stage ?? null;
}
