import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { askSecret } from '../../../src/cli/ask-secret.ts';

/** A terminal that somebody types into, and all that it shows. */
function terminal(isTTY: boolean) {
  const input = Object.assign(new PassThrough(), { isTTY, setRawMode: () => input });
  const output = new PassThrough();
  const shown = text(output);
  return {
    input,
    output,
    shown: () => {
      output.end();
      return shown;
    },
  };
}

it('what is typed is taken, and not shown', async () => {
  const { input, output, shown } = terminal(true);
  const asked = askSecret('Key: ', { input, output });
  input.write('s3cret-of-acme\r');
  expect(await asked).toBe('s3cret-of-acme');
  expect(await shown()).toBe('Key: \n');
});

it.each([
  ['gives up', true, '\u0003'],
  ['ends the input', true, '\u0004'],
])('nothing is taken of a person who %s', async (_, isTTY, typed) => {
  const { input, output } = terminal(isTTY);
  const asked = askSecret('Key: ', { input, output });
  input.write(typed);
  expect(await asked).toBeNull();
});

it('nobody is asked where nobody can type', async () => {
  const { input, output, shown } = terminal(false);
  expect(await askSecret('Key: ', { input, output })).toBeNull();
  expect(await shown()).toBe('');
});
