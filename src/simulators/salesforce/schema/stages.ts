/** What a stage says about an opportunity: the list that a new org comes with. */
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

/** The stage of this name; a name outside the list counts as an open stage without probability. */
export function stageOf(name: string): Stage {
  return STAGES.find((stage) => stage.name.toLowerCase() === name.toLowerCase()) ?? open(name, 0);
}
