import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
/** Connections that a portal keeps. New ones for each call would measure the system's backlog. */
const CONNECTIONS = 1_000;
/** How long answers are waited for after the last request was due, in milliseconds. */
const PATIENCE = 3_000;
/**
 * Sends requests at a rate, each on a connection that is free; its time counts from when it was due.
 * On raw sockets, because the client shares the processors with the server that it measures.
 * @param perSecond rate
 */
export async function openLoop(port, request, perSecond, seconds) {
    const result = { durations: new Map(), failed: 0, seconds };
    const free = [];
    const waiting = [];
    const bytes = Buffer.from(request);
    const all = Array.from({ length: CONNECTIONS }, () => {
        const connection = new Connection(port, (status, duration) => {
            const durations = result.durations.get(status) ?? [];
            durations.push(duration);
            result.durations.set(status, durations);
            const due = waiting.shift();
            if (due === undefined)
                free.push(connection);
            else
                connection.send(bytes, due);
        }, () => result.failed++);
        free.push(connection);
        return connection;
    });
    await Promise.all(all.map(({ connected }) => connected));
    const started = performance.now();
    let sent = 0;
    await new Promise((done) => {
        const timer = setInterval(() => {
            const elapsed = performance.now() - started;
            const due = Math.floor((Math.min(elapsed, seconds * 1_000) * perSecond) / 1_000);
            for (; sent < due; sent++) {
                const at = started + (sent * 1_000) / perSecond;
                const connection = free.pop();
                if (connection)
                    connection.send(bytes, at);
                else
                    waiting.push(at);
            }
            if (elapsed < seconds * 1_000)
                return;
            clearInterval(timer);
            done();
        }, 2);
    });
    const answered = () => [...result.durations.values()].flat().length + result.failed;
    const deadline = performance.now() + PATIENCE;
    while (answered() < sent && performance.now() < deadline)
        await delay(20);
    result.failed += Math.max(0, sent - answered());
    for (const connection of all)
        connection.end();
    return result;
}
/** One connection that is kept; one request at a time. */
class Connection {
    answered;
    connected;
    socket;
    received = [];
    due;
    ended = false;
    constructor(port, answered, failed) {
        this.answered = answered;
        this.socket = connect(port, '127.0.0.1');
        this.connected = new Promise((done) => this.socket.once('connect', () => done()));
        this.socket.setNoDelay(true);
        this.socket.on('data', (chunk) => this.read(chunk));
        this.socket.on('error', () => undefined);
        this.socket.on('close', () => {
            if (this.due !== undefined && !this.ended)
                failed();
        });
    }
    send(request, due) {
        this.due = due;
        this.socket.write(request);
    }
    end() {
        this.ended = true;
        this.socket.destroy();
    }
    read(chunk) {
        this.received.push(chunk);
        const all = this.received.length === 1 ? chunk : Buffer.concat(this.received);
        const head = all.indexOf('\r\n\r\n');
        if (head < 0 || this.due === undefined)
            return;
        const headers = all.subarray(0, head).toString('latin1');
        const length = Number(/content-length: (\d+)/i.exec(headers)?.[1] ?? 0);
        if (all.length < head + 4 + length)
            return;
        const duration = performance.now() - this.due;
        this.received = [];
        this.due = undefined;
        this.answered(Number(headers.slice(9, 12)), duration);
    }
}
//# sourceMappingURL=open-loop.js.map