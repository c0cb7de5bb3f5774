import { uriOf } from './uri.js';
export function presentRef(target, id, reference, label) {
    return {
        id: String(id),
        uri: uriOf(target.uri, id),
        reference: String(reference),
        label: String(label),
    };
}
//# sourceMappingURL=ref.js.map