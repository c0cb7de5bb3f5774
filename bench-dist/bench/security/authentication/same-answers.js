import { signIn, startRig, SYSADMIN_PASSWORD, tokenOf } from '../rig.js';
import { makeUser, openDoors, settle } from './prepare.js';
/** B1: whatever is wrong with credentials, the answer is the same byte by byte. */
export const sameAnswers = async (_, report) => {
    const rig = await startRig();
    const { port } = await rig.serve();
    await openDoors(rig);
    await settle();
    const admin = await tokenOf(port, 'alice.martin');
    const make = (login) => makeUser(port, admin, login);
    const [locked, disabled, keyless] = [
        await make('locked'),
        await make('disabled'),
        await make('keyless'),
    ];
    await rig.client.query(`INSERT INTO sign_ins (user_id, failures, locked_until) VALUES ($1, 10, now() + interval '1 hour')`, [locked]);
    await rig.client.query('UPDATE users SET status = 0 WHERE id = $1', [disabled]);
    await rig.client.query('DELETE FROM passwords WHERE user_id = $1', [keyless]);
    const cases = [
        ['nobody'],
        ['bruno.keller', 'wrong'],
        ['locked'],
        ['disabled'],
        ['keyless'],
        ['sysadmin', SYSADMIN_PASSWORD, '127.0.0.9'],
        ['sysadmin', 'wrong', '127.0.0.9'],
    ];
    const shown = new Set();
    for (const [login, password, from] of cases)
        shown.add(visible(await signIn(port, login, password, { from })));
    report({
        id: 'B1',
        goal: 'byte-equal answers: unknown, wrong, locked, disabled, without password, sysadmin elsewhere right and wrong',
        figure: `${cases.length} cases, ${shown.size} different answers: ${[...shown].join(' | ')}`,
        met: shown.size === 1,
    });
    await rig.stop();
};
/** What an attacker can compare. */
function visible({ status, headers, text }) {
    const { date, 'x-request-id': requestId, ...kept } = headers;
    if (!date || !requestId)
        throw new Error('an answer without Date or X-Request-Id');
    return JSON.stringify({ status, headers: kept, text });
}
//# sourceMappingURL=same-answers.js.map