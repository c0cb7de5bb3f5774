import { applications } from '../process/application.resource.js';
import { categories } from '../process/category.resource.js';
import { uriOf } from '../resources/uri.js';
/** @param row id, title */
export function presentCategory([id, title]) {
    return {
        id: uriOf(categories.ref.uri, id),
        title: blank(title),
        comparisonValue: blank(title),
    };
}
/** @param row id, title, reference, tile_color, type, link, icon, target_blank, help_link_js, keywords */
export function presentApplication(row, basePath) {
    const [id, title, reference, tileColor, type, link, icon, targetBlank, helpLinkJS, keywords] = row;
    const uri = uriOf(applications.ref.uri, id);
    return {
        id: uri,
        title: blank(title),
        reference: blank(reference),
        tileColor: blank(tileColor),
        type: blank(type),
        link: blank(link),
        icon: blank(icon),
        targetBlank: targetBlank === true,
        helpLinkJS: blank(helpLinkJS),
        keywords: blank(keywords),
        updateCounterUrl: type === 'PROCESS'
            ? `${basePath}/navigation/workplace/views/count?applicationUri=${encodeURIComponent(uri)}`
            : '',
        comparisonValue: blank(title),
    };
}
export const presentIndicator = (count) => ({ type: 'COUNTER', count });
const blank = (value) => (typeof value === 'string' ? value : '');
//# sourceMappingURL=presenters.js.map