import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { beside } from '../../../playground/demo/beside.ts';
import type { StepContext } from '../../../playground/demo/steps.ts';

function printer() {
  const lines: string[] = [];
  return { lines, context: { print: (line: string) => lines.push(line) } as unknown as StepContext };
}

const says =
  (...words: readonly string[]) =>
  async ({ print }: StepContext): Promise<void> => {
    for (const word of words) {
      await turn();
      print(word);
    }
  };

test('prints the lines of steps that run beside each other in the order of the steps', async () => {
  const { lines, context } = printer();

  await beside(context, [says('a1', 'a2', 'a3'), says('b1'), says('c1', 'c2', 'c3', 'c4', 'c5')]);

  expect(lines).toEqual(['a1', 'a2', 'a3', 'b1', 'c1', 'c2', 'c3', 'c4', 'c5']);
});

test('prints the first step’s lines at once', async () => {
  const { lines, context } = printer();
  const never = Promise.withResolvers<void>();

  const running = beside(context, [says('a1'), () => never.promise]);
  await turn();
  await turn();

  expect(lines).toEqual(['a1']);
  never.resolve();
  await running;
});

test('waits for all steps, and fails as the first one that failed', async () => {
  const { lines, context } = printer();
  const fails = (word: string) => () => Promise.reject(new Error(word));

  await expect(beside(context, [says('a1', 'a2'), fails('second'), fails('third')])).rejects.toThrow('second');

  expect(lines).toEqual(['a1', 'a2']);
});
