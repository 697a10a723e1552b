import type { Row } from '../store/row.ts';

/** A stage of opportunities and its effects, as in a new org's list. */
export type Stage = {
  readonly name: string;
  readonly probability: number;
  readonly forecast: 'Omitted' | 'Pipeline' | 'BestCase' | 'Forecast' | 'Closed';
  readonly closed: boolean;
  readonly won: boolean;
};

const open = (name: string, probability: number, forecast: Stage['forecast'] = 'Pipeline'): Stage => ({
  name,
  probability,
  forecast,
  closed: false,
  won: false,
});

export const STAGES: readonly Stage[] = [
  open('Prospecting', 10),
  open('Qualification', 10),
  open('Needs Analysis', 20),
  open('Value Proposition', 50),
  open('Id. Decision Makers', 60),
  open('Perception Analysis', 70),
  open('Proposal/Price Quote', 75),
  open('Negotiation/Review', 90),
  { name: 'Closed Won', probability: 100, forecast: 'Closed', closed: true, won: true },
  { name: 'Closed Lost', probability: 0, forecast: 'Omitted', closed: true, won: false },
];

/** `ForecastCategoryName` (what users see) by `ForecastCategory` (what the platform computes with). */
export const FORECAST_NAMES: Readonly<Record<Stage['forecast'], string>> = {
  Omitted: 'Omitted',
  Pipeline: 'Pipeline',
  BestCase: 'Best Case',
  Forecast: 'Commit',
  Closed: 'Closed',
};

/**
 * The stage of this name: from the org's OpportunityStage rows, otherwise from a new org's list. An unknown name counts as an open stage
 * without probability.
 */
export function stageOf(rows: Iterable<Row>, name: string): Stage {
  const isName = (each: unknown) => String(each).toLowerCase() === name.toLowerCase();
  for (const row of rows) {
    if (!isName(row['ApiName'])) continue;
    return {
      name,
      probability: Number(row['DefaultProbability']),
      forecast: row['ForecastCategory'] as Stage['forecast'],
      closed: row['IsClosed'] === true,
      won: row['IsWon'] === true,
    };
  }
  return STAGES.find((stage) => isName(stage.name)) ?? open(name, 0);
}
