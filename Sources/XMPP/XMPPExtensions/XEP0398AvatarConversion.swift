/// XEP-0398: a server with this feature makes the photo of the card of what is on the avatar's nodes, and the other way
/// round, and says in our presence which it is.
package enum AvatarConversion {
  package static let feature: StaticString = "urn:xmpp:pep-vcard-conversion:0"
}
