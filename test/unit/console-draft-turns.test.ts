import { expect, it } from 'vitest';
import { createDraftTurns } from '../../src/console/access/draft-turns.ts';

it('starts the next call of a sender although the last one failed at once', async () => {
  const inTurn = createDraftTurns();
  const failing = inTurn('ada', () => {
    throw new TypeError('no draft');
  });
  await expect(failing).rejects.toThrow('no draft');
  await expect(inTurn('ada', async () => 'checked')).resolves.toBe('checked');
});
