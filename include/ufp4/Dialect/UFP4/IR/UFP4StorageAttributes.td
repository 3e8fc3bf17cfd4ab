//===- UFP4StorageAttributes.td - how operands lie in memory -*- tablegen -*-===//

#ifndef UFP4_DIALECT_UFP4_IR_UFP4STORAGEATTRIBUTES_TD
#define UFP4_DIALECT_UFP4_IR_UFP4STORAGEATTRIBUTES_TD

include "ufp4/Dialect/UFP4/IR/UFP4Attributes.td"

def UFP4_StorageAttr : UFP4_Attr<"Storage", "storage"> {
  let summary = "a layout of codes and scales in memory, by name";
  let description = [{
    The formula behind the name says where each code and each scale lies, and how buffers are
    padded.

    ```mlir
    #ufp4.storage<"natural">
    ```
  }];
  let parameters = (ins StringRefParameter<"the storage's name">:$name);
  let assemblyFormat = "`<` $name `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// What the name stands for.
    const target::OperandStorage &getStorage() const;
  }];
}

def UFP4_StoredAttr : UFP4_Attr<"Stored", "stored"> {
  let summary = "a quantized tensor as it lies in memory";
  let description = [{
    A `!ufp4.tensor`, its storage, and which of its dimensions are a GEMM's batch: of its dimensions
    but `along`, in their order, the first `batch` are merged into G and the others into R of the
    view [G, R, K]. Buffers are bytes, as many as the storage says for that view. Each group of a
    ragged tensor begins at a tile of the storage.

    ```mlir
    #ufp4.stored<!ufp4.tensor<256x512, #fmt, along = 1>, "natural">
    #ufp4.stored<!ufp4.tensor<8x256x512, #fmt, along = 2>, "natural", batch = 1>
    ```
  }];
  let parameters = (ins "::ufp4::QuantizedTensorType":$type, "::ufp4::StorageAttr":$storage,
                        "unsigned":$batch);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Why there is no such attribute (V31); empty where there is.
    static std::string explainMisfit(QuantizedTensorType type, StorageAttr storage, unsigned batch);
    /// The extents of the dimensions that are merged into G and into R, in their order.
    ::llvm::SmallVector<int64_t> getBatchShape() const;
    ::llvm::SmallVector<int64_t> getFreeShape() const;
    /// The tile that each ragged group begins: rows, or positions along K where groups divide it.
    int64_t getGroupTile() const;
    /// The view [G, R, K] in the terms of storages, what ragged groups divide with all of its tiles;
    /// fails where an extent is dynamic.
    ::mlir::FailureOr<target::OperandType> getOperandType() const;
    /// Bytes of the codes and of the scales; kDynamic where an extent is.
    std::array<int64_t, target::planeCount> getPlaneBytes() const;
    /// How many buffers there are: codes, scales and, with ue4m3, the tensor's scale.
    unsigned getNumBuffers() const;
  }];
}

def UFP4_DestinationAttr : UFP4_Attr<"Destination", "destination"> {
  let summary = "one quantized result of a quantize into buffers";
  let description = [{
    What is quantized (`ufp4.stored`) and how it is rounded: to nearest, or `stochastic` with words
    of `bits` (16 or 8) from the given `stream`, which is `dynamic` where an operand gives it.
    `place` is a part's place in the global view (Q8).

    ```mlir
    #ufp4.destination<!ufp4.tensor<256x512, #fmt, along = 1>, "natural">
    #ufp4.destination<!ufp4.tensor<256x512, #fmt, along = 0>, "natural", stochastic, stream = 7>
    #ufp4.destination<!ufp4.tensor<64x512, #fmt, along = 1>, "natural", batch = 0, stochastic,
                      bits = 8, stream = dynamic, place = <at [[64], []] of [[256], []]
                      part [[64], []]>>
    ```
  }];
  let parameters = (ins "::ufp4::StoredAttr":$stored, "::ufp4::Rounding":$rounding,
                        "unsigned":$bits, "int64_t":$stream,
                        OptionalParameter<"::ufp4::PlaceAttr">:$place);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// What `getBits` and `getStream` are for nearest rounding.
    static constexpr unsigned kNoBits = 0;
    static constexpr int64_t kNoStream = 0;
    QuantizedTensorType getType() const;
    SchemeAttr getScheme() const;
    bool isStochastic() const { return getRounding() == Rounding::Stochastic; }
    /// Whether an operand gives the stream; `getStream` is kDynamic then.
    bool hasDynamicStream() const { return ::mlir::ShapedType::isDynamic(getStream()); }
    /// How many of a place's offsets are operands.
    unsigned getNumDynamicOffsets() const {
      return getPlace() ? getPlace().getNumDynamicOffsets() : 0;
    }
  }];
}

def UFP4_DestinationArrayAttr
    : TypedArrayAttrBase<UFP4_DestinationAttr, "one or two destinations">;

def UFP4_PathAttr : UFP4_Attr<"Path", "path"> {
  let summary = "how a block-scaled product is computed";
  let description = [{
    `native`: block-scaled MMA on 4-bit codes; `container`: on codes widened to a format that holds
    them exactly; `post`: an unscaled MMA per block, then scaling in f32; `fold`: scales multiplied
    into 16-bit operands, which hold the products exactly.

    ```mlir
    #ufp4.path<post>
    ```
  }];
  let parameters = (ins "::ufp4::target::Path":$value);
  let hasCustomAssemblyFormat = 1;
}

#endif // UFP4_DIALECT_UFP4_IR_UFP4STORAGEATTRIBUTES_TD
