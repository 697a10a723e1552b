import type { MappingConfig, StageRow } from '../mapping/config.ts';
import { own } from './own.ts';

export type StatusRow = {
  /** False: the spec shows the stage, not its code, and the tenant's values name it. */
  readonly documented: boolean;
  /** Ends the deal. */
  readonly closing: boolean;
};

/** The vendor's statuses by our name, which is the code where the spec shows one (sales spec 2.2, 2.3). */
export const STATUSES: Readonly<Record<string, StatusRow>> = {
  LEAD_OPEN: { documented: true, closing: false },
  QUALIFIED: { documented: true, closing: false },
  ACCEPTED: { documented: true, closing: false },
  OPPY_OPEN: { documented: true, closing: false },
  VALIDATED: { documented: false, closing: false },
  ESTABLISHED: { documented: false, closing: false },
  WON: { documented: true, closing: true },
  LOST: { documented: false, closing: true },
};

/** The vendor's code of a status name; null where neither the spec nor the tenant file gives one. */
export function statusCode(name: string, config: MappingConfig): string | null {
  if (own(STATUSES, name)?.documented) return name;
  return own(config.values.status, name) || null;
}

/** Our name of a vendor code; null for a code that neither the spec nor the tenant file names. */
export function statusName(code: string, config: MappingConfig): string | null {
  if (own(STATUSES, code)?.documented) return code;
  const named = Object.keys(STATUSES).find((name) => own(config.values.status, name) === code);
  return named ?? null;
}

/** Won or Lost: a status that ends the deal. */
export function isClosing(code: string, config: MappingConfig): boolean {
  const name = statusName(code, config);
  return name !== null && STATUSES[name]?.closing === true;
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
