/**
 * Imported before the SDK: its schemas would try, when they are made, whether code may be compiled here, which the page's policy
 * reports as a breach.
 */
import { config } from "zod/v4/core";

config({ jitless: true });
