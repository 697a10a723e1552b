import { startSalesforceSimulator } from '../src/salesforce/start.ts';
import { orgUnderTest, SELECTED } from './points/point.ts';
import { POINTS } from './points/points.ts';
import type { Outcome, Score } from './score.ts';

/** Runs the project's own table of documented points, each on a new org. */
export async function scorePoints(): Promise<Score> {
  const simulator = await startSalesforceSimulator({ seed: 'empty', changeEvents: SELECTED });
  const org = orgUnderTest(simulator);
  const outcomes: Outcome[] = [];
  try {
    for (const { claim, sure, holds } of Object.values(POINTS).flat()) {
      await org.admin('POST', 'reset', {});
      const name = `${claim} (${sure})`;
      try {
        await holds(org);
        outcomes.push({ name, passed: true, detail: '' });
      } catch (error) {
        outcomes.push({
          name,
          passed: false,
          detail: error instanceof Error ? error.message : String(error),
        });
      }
    }
  } finally {
    await simulator.close();
  }
  return { client: 'documented points', version: '', outcomes, leftOut: [] };
}
