/** Where a catalog is looked for when none is named: where `openmcp serve` puts one. */
export const DEFAULT_CATALOG = "http://127.0.0.1:8790";
