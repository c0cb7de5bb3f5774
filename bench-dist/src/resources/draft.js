export {};
//# sourceMappingURL=draft.js.map