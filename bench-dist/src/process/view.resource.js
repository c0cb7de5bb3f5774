import { coded, count, dates, link, reference, text } from '../resources/attributes.js';
import { textList } from '../resources/text-list-attribute.js';
import { resource } from '../resources/resource.js';
import { visibleInWorkplace } from './application.resource.js';
import { countView } from './view-rows.js';
import { UnreadableView } from './view-filters.js';
import { View } from './view.entity.js';
const FILTER_MODES = { and: { en: 'all', fr: 'tous' }, or: { en: 'any', fr: 'au moins un' } };
export const views = resource({
    name: 'views',
    uri: '/process/views',
    entity: View,
    labelColumn: 'label',
    attributes: {
        reference: reference(),
        label: text({ required: true, max: 200 }),
        application: link('applications', { required: true }),
        columns: textList(),
        filters: textList(),
        filterMode: coded(FILTER_MODES, { default: 'and' }),
        sorter: text(),
        ...dates(),
        count: count(() => 'NULL'),
    },
    complete: countFor,
    visible: (caller, alias, bind) => caller.administrator
        ? undefined
        : `EXISTS (SELECT 1 FROM applications a WHERE a.id = ${alias}.application_id AND ${visibleInWorkplace(caller, 'a', bind)})`,
});
/** The count is the caller's own, and null for a view that can no longer be read. */
async function countFor(representation, caller, reader) {
    const view = storedView(representation);
    try {
        return { ...representation, count: await countView(reader, view, caller) };
    }
    catch (error) {
        if (error instanceof UnreadableView)
            return { ...representation, count: null };
        throw error;
    }
}
/** What executing a view needs, from its representation. */
export function storedView(representation) {
    const { application, ...view } = representation;
    return { ...view, applicationId: application.id };
}
//# sourceMappingURL=view.resource.js.map