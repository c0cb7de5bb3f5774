import { call, SYSADMIN_PASSWORD, tokenOf } from '../rig.js';
/** Sets a server parameter behind the server's back, also out of its bounds. */
export async function setParameter({ client }, key, value) {
    await client.query('INSERT INTO parameters (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value', [key, value]);
}
/** Calls may come from all of the loopback; no address is throttled. */
export async function openDoors(rig) {
    await setParameter(rig, 'security.ExternalAuthenticationAction.allowedAddresses', '127.0.0.0/8');
    await setParameter(rig, 'security.Throttle.failures', '1000000000');
}
/** A new user with the demonstration password. */
export async function makeUser(port, token, login) {
    const body = { login, lastName: 'Reported', password: 'Portal-Demo-2026' };
    const { status, text } = await call(port, '/api/v2/directory/users', {
        method: 'POST',
        token,
        body,
    });
    if (status !== 201)
        throw new Error(text);
    return JSON.parse(text).id;
}
export const sysadminToken = (port) => tokenOf(port, 'sysadmin', SYSADMIN_PASSWORD);
/** Until every instance has heard of what was set behind their backs. */
export const settle = () => new Promise((done) => setTimeout(done, 1_000));
//# sourceMappingURL=prepare.js.map