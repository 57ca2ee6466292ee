/** English words that say nothing of what is wanted, and verbs and nouns that say little of it. */

/** Never looked up, unless a question is nothing else. */
export const stopWords: ReadonlySet<string> = words(`
  a an the and or but nor so if then else of in on at to from by for with without into onto over under about between
  among through during before after above below out off again further as than that this these those it its itself
  i me my mine myself we us our ours you your yours yourself he him his she hers her they them their theirs
  who whom whose which what when where why how is am are was were be been being do does did doing done
  have has had having can could will would shall should may might must not no yes please hey hi hello thanks thank
  just also too very really some any all each every both few more most other such only own same there here let lets
  want wants wanted need needs needed im ive id ill t s d m ll ve re don doesn didn isn aren wasn won wouldn couldn
  shouldn cannot able make sure help tell know trying try going go goes gonna via per etc upon something anything
  everything someone anyone everyone one ones because since until though although whether either neither rather
  already yet still ever never always often sometimes usually maybe perhaps quite much many lot lots bit thing things
  stuff way kind sort
`);

/** Looked up at a low weight: nearly every tool gets, shows or finds some information. */
export const softWords: ReadonlySet<string> = words(`
  get show use find give fetch retrieve return provide see look looking looked take put set result results
  information info data available detail details different various particular certain tool service application app
  api using based given following specific return like liked using used currently now right today new
`);

function words(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}
