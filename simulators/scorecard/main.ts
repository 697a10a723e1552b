/**
 * How clients that others wrote fare with the Salesforce simulator. Nothing of them is in this repository: each is
 * given by where it is, and what is not given is said to be not run. The project's own table of documented points runs
 * always. Ends with 1 when one falls below its goal.
 */

import { scriptOptions } from '../../scripts/setup/script-options.mjs';
import { scorePoints } from './documented-points.ts';
import { scoreGoSalesforce } from './go-salesforce.ts';
import { scoreJsforce } from './jsforce.ts';
import { type Score, scoreLines } from './score.ts';
import { scoreSf } from './sf.ts';
import { scoreSimpleSalesforce } from './simple-salesforce.ts';

type Client = {
  readonly flag: 'jsforce' | 'simple-salesforce' | 'go-salesforce' | 'sf';
  readonly give: string;
  /** Fewest that must pass. */
  readonly goal: (score: Score) => number;
  readonly run: (given: string) => Promise<Score>;
};

const every = (score: Score) => score.outcomes.length;

const CLIENTS: readonly Client[] = [
  {
    flag: 'jsforce',
    give: 'the folder of its sources, installed and compiled',
    goal: () => 110,
    run: scoreJsforce,
  },
  { flag: 'simple-salesforce', give: 'a python that has it', goal: every, run: scoreSimpleSalesforce },
  { flag: 'go-salesforce', give: 'its version', goal: every, run: scoreGoSalesforce },
  { flag: 'sf', give: "the path of the CLI's program", goal: () => 22, run: scoreSf },
];

const given: Readonly<Record<string, unknown>> = scriptOptions('scorecard:salesforce');
const scores: Score[] = [await scorePoints()];
show(scores[0] as Score, every);
for (const { flag, give, goal, run } of CLIENTS) {
  const where = given[flag];
  if (typeof where !== 'string' || where === '') {
    process.stdout.write(`${flag}: not run; give --${flag} ${give}\n`);
    continue;
  }
  const score = await run(where);
  scores.push(score);
  show(score, goal);
}
if (given['json'] === true) process.stdout.write(`${JSON.stringify(scores, null, 2)}\n`);

/** Prints a card; the exit is 1 when it is below its goal. */
function show(score: Score, goal: Client['goal']): void {
  if (given['json'] !== true) process.stdout.write(`${scoreLines(score).join('\n')}\n`);
  const passed = score.outcomes.filter((outcome) => outcome.passed).length;
  if (passed >= goal(score)) return;
  process.stdout.write(`${score.client}: below its goal of ${goal(score)}\n`);
  process.exitCode = 1;
}
