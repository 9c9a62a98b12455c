/// The words that are mentions beside my nicks, for all accounts.
package final class MentionWords {
  package internal(set) var words: [String] = []

  package init() {}
}
