import { lookAgain, sentenceOf } from 'c/lockstepActions';
import { notifyRecordUpdateAvailable } from 'lightning/uiRecordApi';

it.each([
  [
    { body: { message: 'No.', output: { errors: [{ message: 'A rule says no.' }], fieldErrors: {} } } },
    'A rule says no.',
  ],
  [{ body: { output: { errors: [], fieldErrors: { A__c: [{ message: 'Too long.' }] } } } }, 'Too long.'],
  [{ body: { message: 'No.' } }, 'No.'],
  [new Error('Offline.'), 'Offline.'],
  [undefined, 'Salesforce did not take it.'],
])('the sentence of %j is %s', (error, sentence) => {
  expect(sentenceOf(error)).toBe(sentence);
});

it('reads the sync row again some times, until the page is left', () => {
  jest.useFakeTimers();
  notifyRecordUpdateAvailable.mockClear();
  const end = lookAgain('a00');
  jest.advanceTimersByTime(11_000);
  expect(notifyRecordUpdateAvailable.mock.calls).toEqual([[[{ recordId: 'a00' }]], [[{ recordId: 'a00' }]]]);
  end();
  jest.advanceTimersByTime(60_000);
  expect(notifyRecordUpdateAvailable).toHaveBeenCalledTimes(2);
});
