import net from 'node:net';

/** Sends bytes as they are; answers what came back until the other side closed, or fell silent. */
export function sendRaw(port: number, bytes: string | Buffer, silence = 3_000): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = net.connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.setTimeout(silence, () => socket.destroy());
    socket.on('data', (data) => (answer += data.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answer));
  });
}
