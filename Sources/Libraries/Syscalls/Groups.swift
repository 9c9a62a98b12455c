import CLinux

/// The system's table of groups (group(5), or what nsswitch.conf says).
package enum Groups {
  /// A group's number by its name or by its number in digits; nil if there is no group of that name. getgrnam_r(3)
  ///
  /// It may ask a name service: for starts and reloads only.
  package static func id(of name: String) -> UInt32? {
    if let number = UInt32(name) { return number }
    var id: UInt32 = 0
    return unsafe clinux_group_id(name, &id) == 1 ? id : nil
  }

  /// True if a group is a user's own: it has the user's name and no other member. getpwuid_r(3), getgrgid_r(3)
  ///
  /// It may query a name service, so call it only at a start or a reload.
  package static func isPrivate(_ group: UInt32, of user: UInt32) -> Bool { clinux_is_private_group(user, group) == 1 }
}
