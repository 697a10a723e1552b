import type { StepContext } from './steps.ts';

type Step = (context: StepContext) => Promise<unknown>;

/**
 * Runs steps beside each other, because they wait for the same poll, and prints their lines as if one step came after the other. Waits for
 * all steps; rejects with the error of the first one that failed.
 */
export async function beside(context: StepContext, steps: readonly Step[]): Promise<void> {
  const lines = steps.map((): string[] => []);
  let printed = 0;
  const print = (): void => {
    for (const line of lines[printed]?.splice(0) ?? []) context.print(line);
  };
  const running = steps.map((step, place) => {
    const add = (line: string): void => {
      lines[place]?.push(line);
      print();
    };
    return step({ ...context, print: add });
  });
  const all = Promise.allSettled(running);
  for (const step of running) {
    await step.catch(() => all);
    print();
    printed += 1;
  }
  print();
  await Promise.all(running);
}
