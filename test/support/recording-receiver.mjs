// A receiver of webhooks that may be killed: it answers only when a line of FILE says what has come.
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';

const { PORT, FILE } = process.env;
createServer((request, response) => {
  json(request).then(
    ({ subject, data }) => {
      const id = request.headers['webhook-id'];
      appendFileSync(FILE, `${id} ${subject} ${data.task.revision}\n`);
      response.writeHead(204).end();
    },
    () => undefined,
  );
}).listen(Number(PORT), '127.0.0.1', () => process.stdout.write('listening\n'));
