/** The package ships no types: one function, for words in lower case. */
declare module "wink-porter2-stemmer" {
  export default function stem(word: string): string;
}
