import { Refusal } from '../errors/refusals.js';
import { MAX_FILTERS, parseFilter } from '../listing/filters.js';
import { parseSorter } from '../listing/sorter.js';
import { tasks } from './task.resource.js';
/** What stands for the caller in a view's filters. */
const ME = '@me';
const MY_GROUPS = '@mygroups';
/**
 * Reads a view for a caller.
 * @throws UnreadableView naming every filter or sorter that no longer parses
 */
export function parseView(view, userId, listable) {
    const filters = view.filters.map((text) => parseViewFilter(text, userId, listable));
    const sorter = view.sorter ? parseSorter(view.sorter, listable) : [];
    const faults = [...filters, sorter].filter((parsed) => typeof parsed === 'string');
    if (faults.length > 0)
        throw new UnreadableView(faults);
    return {
        filters: filters,
        filterMode: view.filterMode,
        sorter: sorter,
    };
}
/** What is wrong with a view that is about to be stored, by its attributes. */
export function viewFaults({ filters, sorter }, listable) {
    const faults = [];
    for (const text of filters) {
        const parsed = parseViewFilter(text, '0', listable);
        if (typeof parsed === 'string')
            faults.push({ name: 'filters', message: parsed });
    }
    const keys = sorter ? parseSorter(sorter, listable) : [];
    if (typeof keys === 'string')
        faults.push({ name: 'sorter', message: keys });
    if (filters.length > MAX_FILTERS)
        faults.push({ name: 'filters', message: `at most ${MAX_FILTERS} filters` });
    return faults;
}
/** A stored view whose filters or sorter cannot be read. */
export class UnreadableView extends Refusal {
    constructor(faults) {
        super(409, `The view cannot be executed: ${faults.join('; ')}`);
    }
}
function parseViewFilter(text, userId, listable) {
    const match = /^(assignee|group):(eq|neq):(@me|@mygroups)$/.exec(text);
    if (!match)
        return parseFilter(text, listable);
    const [, name, operator, who] = match;
    if ((name === 'assignee') !== (who === ME))
        return `${name}: use assignee with ${ME}, group with ${MY_GROUPS}`;
    const attribute = who === ME ? tasks.listAttribute('assignee') : myGroups(userId);
    return { attribute, operator, value: userId };
}
/** `group:eq:@mygroups`: the task waits for a group of the caller. */
function myGroups(userId) {
    return {
        name: 'group',
        sortable: false,
        operators: ['eq', 'neq'],
        parseFilter: (text) => text,
        order: () => '',
        condition(alias, operator, _value, bind) {
            const mine = `${alias}.group_id = ANY (ARRAY(SELECT m.group_id FROM group_members m WHERE m.user_id = ${bind(userId)}::bigint))`;
            return operator === 'eq' ? mine : `(${mine}) IS NOT TRUE`;
        },
    };
}
//# sourceMappingURL=view-filters.js.map